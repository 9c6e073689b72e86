/* Integer division rounds towards zero, and % has the sign of the dividend. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    __VERIFIER_assume(x > -1000 && x < 1000);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1);
    assert(x / 3 * 3 + x % 3 == x);
    assert(-7 / 2u == 0x7ffffffcu);
    return 0;
}
