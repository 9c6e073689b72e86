/* Unsigned wrap-around and guarded sums are no overflow. */
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();

    u = u + 1;
    if (x < INT_MAX)
        x = x + 1;
    return 0;
}
