/* Results through pointer parameters. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void order(int *lo, int *hi)
{
    if (*lo > *hi) {
        int t = *lo;

        *lo = *hi;
        *hi = t;
    }
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();

    order(&a, &b);
    assert(a <= b);
    return 0;
}
