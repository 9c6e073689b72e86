/* A thread is not stopped before another one has called exit. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *thread(void *arg)
{
    assert(x == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    x = 1;
    exit(0);
    return 0;
}
