/* What character constants and strings are made of, and that char is not signed char. */
#include <assert.h>

int main(void)
{
    assert(_Generic(u'a', unsigned short: 1, default: 0));
    assert(_Generic(U'a', unsigned: 1, default: 0));
    assert(_Generic(L'a', int: 1, default: 0));
    assert(sizeof u"ab" == 6 && sizeof U"ab" == 12 && sizeof "ab" == 3);
    assert(u"a\u00e9"[1] == 0xe9);
    assert(_Generic((char)1, signed char: 2, unsigned char: 3, char: 1) == 1);
    assert(_Generic((signed char)1, char: 1, signed char: 2) == 2);
    assert(!__builtin_types_compatible_p(char *, signed char *));
    return 0;
}
