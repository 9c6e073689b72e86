/* Lock subl. */
#include <assert.h>
#include <pthread.h>
static volatile int count;
static void *run(void *unused)
{
    asm volatile("lock; subl %1, %0" : "+m"(count) : "ir"(3) : "memory", "cc");
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(count == -6);
    return 0;
}
