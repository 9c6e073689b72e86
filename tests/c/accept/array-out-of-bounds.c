/* An index that is too large by one. */
#include <assert.h>
#include <pthread.h>
static int a[2], n;
static void *run(void *unused)
{
    int i = __sync_fetch_and_add(&n, 2);
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
    return 0;
}
