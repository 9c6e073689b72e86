/* The length is that of the declaration. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = 3;
    int a[n];
    n = 1;
    a[2] = 5;
    assert(a[2] == 5 && sizeof a == 12);
    return 0;
}
