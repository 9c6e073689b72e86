/* A division by zero, on request. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 100 / (x - 7);

    (void)y;
    return 0;
}
