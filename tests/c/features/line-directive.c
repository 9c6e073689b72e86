/* What __LINE__ and __FILE__ are after #line, with our own preprocessor. */
#include <assert.h>

#define HERE 100

int main(void)
{
#line HERE "other.c"
    assert(__LINE__ == 100);
    assert(__FILE__[0] == 'o');
# 7
    assert(__LINE__ == 7);
    return 0;
}
