/* A lock by lock cmpxchg and sete. */
#include <assert.h>
#include <pthread.h>
static volatile int word;
static int inside;
static int take(void)
{
    unsigned char took;
    asm volatile("lock; cmpxchgl %3, %1; sete %0" : "=a"(took), "+m"(word) : "a"(0), "r"(1) : "memory", "cc");
    return !took;
}
static void *run(void *unused)
{
    while (take())
        asm volatile("pause" ::: "memory");
    inside++;
    assert(inside == 1);
    inside--;
    word = 0;
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
