/* Types smaller than int are compared as ints, also unsigned ones. */
#include <assert.h>

int main(void)
{
    signed char i = -1;
    unsigned char u = 1;
    unsigned v = 1;

    assert(i < u);
    assert(!(i < v));
    assert((long long)i < (long long)v);
    return 0;
}
