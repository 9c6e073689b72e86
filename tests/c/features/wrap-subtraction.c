/* The difference of unsigned numbers is never negative. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();

    __VERIFIER_assume(a < 10 && b < 10);
    assert(a - b < 10);
    return 0;
}
