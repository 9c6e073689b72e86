/* A length that may be negative. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 100)
        return 0;
    int a[n];
    a[0] = 1;
    return 0;
}
