/* A signed overflow, on request. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (x > 0)
        x = x + 1;
    return 0;
}
