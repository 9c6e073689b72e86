/* Lock xaddl by name. */
#include <assert.h>
#include <pthread.h>
static volatile int count;
static void *run(void *unused)
{
    int one = 1;
    asm volatile("lock; xaddl %[one], %[count]" : [one] "+r"(one), [count] "+m"(count) : : "memory", "cc");
    assert(one == 0 || one == 1);
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
