/* A barrier: nobody passes before all are there. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x;

static void *thread(void *arg)
{
    pthread_barrier_wait(&b);
    assert(x == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, thread, 0);
    x = 1;
    pthread_barrier_wait(&b);
    return 0;
}
