/* Goto jumps over an assignment. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1;

    if (__VERIFIER_nondet_int())
        goto out;
    x = 2;
    out:
    assert(x == 2);
    return 0;
}
