/* A lock by xchg. */
#include <assert.h>
#include <pthread.h>
static volatile int word;
static int inside;
static int take(void)
{
    int old = 1;
    asm volatile("xchgl %0, %1" : "+r"(old), "+m"(word) : : "memory");
    return old;
}
static void *run(void *unused)
{
    while (take())
        asm volatile("pause" ::: "memory");
    inside++;
    assert(inside == 1);
    inside--;
    asm volatile("movl %1, %0" : "=m"(word) : "r"(0) : "memory");
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
