/* A time stamp that nobody depends on. */
#include <assert.h>
#include <pthread.h>
static volatile int count;
static void *run(void *unused)
{
    unsigned low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    __sync_fetch_and_add(&count, 1);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(count == 2);
    return 0;
}
