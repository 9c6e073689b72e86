/* Unsigned addition wraps around. */
#include <assert.h>
#include <limits.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint();

    assert(u + 1 > u || u == UINT_MAX);
    assert(u - u == 0 && u + u == 2 * u);
    assert(UINT_MAX + 1u == 0);
    return 0;
}
