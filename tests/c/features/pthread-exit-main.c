/* Pthread_exit in main lets the other threads go on. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    while (x == 0)
        ;
    assert(x == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    x = 2;
    pthread_exit(0);
}
