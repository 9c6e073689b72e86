/* -x > 0 for all negative x fails for the smallest one. */
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (x < 0)
        assert((int)(0u - (unsigned)x) > 0);
    return 0;
}
