/* Without wrap-around u + 1 is larger than u. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint();

    assert(u + 1 > u);
    return 0;
}
