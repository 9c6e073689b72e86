/* An array with a variable index. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    unsigned i = __VERIFIER_nondet_uint();

    __VERIFIER_assume(i < 4);
    assert(a[i] == (int)i + 1);
    a[i] = 10;
    assert(a[0] + a[1] + a[2] + a[3] == 19 - (int)i);
    return 0;
}
