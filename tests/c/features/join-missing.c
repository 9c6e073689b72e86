/* Without a join the thread may not have run yet. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    pthread_detach(t);
    assert(x == 1);
    return 0;
}
