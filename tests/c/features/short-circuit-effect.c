/* The side effect in a right operand that is not evaluated does not happen. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int n = 0;

    if (x > 0 && n++ == 0)
        x = 0;
    assert(n == 1);
    return 0;
}
