/* A lock whose test and set are two instructions. */
#include <assert.h>
#include <pthread.h>
static volatile int word;
static int inside;
static int take(void)
{
    int old;
    asm volatile("movl %1, %0; movl $1, %1" : "=&r"(old), "+m"(word) : : "memory");
    return old;
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
