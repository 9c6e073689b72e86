/* Two variable indices may be the same. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int a[4] = {0};
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();

    __VERIFIER_assume(i < 4 && j < 4);
    a[i] = 1;
    a[j] = 2;
    assert(a[i] == 1);
    return 0;
}
