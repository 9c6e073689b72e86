/* Two pointers may point to the same variable. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int a, b;

int main(void)
{
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    int *q = &a;

    *q = 1;
    *p = 2;
    assert(*q == 1);
    return 0;
}
