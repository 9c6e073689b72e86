/* A pointer to one of two globals. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int a = 1, b = 2;

int main(void)
{
    int *p = __VERIFIER_nondet_int() ? &a : &b;

    *p = 7;
    assert((a == 7 && b == 2) || (a == 1 && b == 7));
    p = &a;
    *p += b;
    assert(a == 1 + b || a == 7 + b);
    return 0;
}
