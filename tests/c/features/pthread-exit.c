/* Pthread_exit ends the thread from inside a call, with a result. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void give_up(int n)
{
    if (n > 2)
        pthread_exit((void *)(intptr_t)n);
}

static void *thread(void *arg)
{
    give_up(1);
    give_up(42);
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *r;

    pthread_create(&t, 0, thread, 0);
    pthread_join(t, &r);
    assert((intptr_t)r == 42);
    return 0;
}
