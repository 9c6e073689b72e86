/* Attributes of threads. */
#include <assert.h>
#include <pthread.h>
static int n;
static void *run(void *unused)
{
    __sync_fetch_and_add(&n, 1);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(n == 2);
    return 0;
}
