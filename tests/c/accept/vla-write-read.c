/* An array of variable length. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 8)
        return 0;
    int a[n];
    a[n - 1] = 3;
    a[0] = 4;
    assert(a[n - 1] == 3);
    return 0;
}
