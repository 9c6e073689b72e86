/* A new thread does not inherit the value of a __thread variable. */
#include <assert.h>
#include <pthread.h>

static __thread int mine = 0;

static void *thread(void *arg)
{
    assert(mine == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    mine = 1;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
