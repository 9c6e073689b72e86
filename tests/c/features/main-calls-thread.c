/* Main calls the thread function itself. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    int old = x;

    x = old + 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
