/* Conversion to _Bool yields 0 or 1. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    _Bool b = x;

    assert(b == (x != 0) && b <= 1);
    b = 256;
    assert(b == 1);
    b += 3;
    assert(b == 1);
    b = !b;
    assert(b == 0);
    return 0;
}
