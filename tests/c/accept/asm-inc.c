/* Lock incl. */
#include <assert.h>
#include <pthread.h>
static volatile int count;
static void *run(void *unused)
{
    asm volatile("lock; incl %0" : "+m"(count) : : "memory", "cc");
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
