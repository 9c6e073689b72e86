/* A sum of 32-bit numbers is widened too late. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned long long p = a + a;

    assert(p >= a);
    return 0;
}
