/* 64-bit arithmetic. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned long long p = (unsigned long long)a + a;

    assert(p >= a && p >> 1 == a);
    assert(0x100000000LL > 0xffffffffu);
    assert((int)(0x100000005LL) == 5);
    return 0;
}
