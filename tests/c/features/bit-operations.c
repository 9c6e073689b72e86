/* Bit operations. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();

    assert((x & ~x) == 0 && (x | ~x) == ~0u);
    assert((x ^ y) == ((x | y) & ~(x & y)));
    assert((x & (x - 1)) <= x);
    assert(((x ^ y) ^ y) == x);
    return 0;
}
