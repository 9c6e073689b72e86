/* Characters are small integers. */
#include <assert.h>

int main(void)
{
    char c = 'a';
    signed char d = 127;

    c += 2;
    assert(c == 'c' && c - 'a' == 2);
    d++;
    assert(d == -128);
    assert('\x41' == 65 && '\n' == 10 && '\0' == 0);
    return 0;
}
