/* The increment of a shared variable is a read and a write. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    x++;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
