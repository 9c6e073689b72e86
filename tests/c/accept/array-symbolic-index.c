/* An element by an arbitrary index. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int a[8];
static void *run(void *unused)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 8)
        a[i] = 1;
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(a[5] == 0 || a[5] == 1);
    return 0;
}
