/* All indices inside the array, on request. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int a[4] = {0};
    unsigned i = __VERIFIER_nondet_uint();

    __VERIFIER_assume(i < 4);
    a[i] = 1;
    a[3 - i] = 2;
    return 0;
}
