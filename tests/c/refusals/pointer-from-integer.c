// refused: a pointer made from an integer, where it is used at line 11
#include <assert.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    int *p = (int *)__VERIFIER_nondet_ulong();

    *p = 1;
    assert(*p == 1);
    return 0;
}
