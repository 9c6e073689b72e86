/* Pthread_join waits, and yields the result. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    x = 1;
    return &x;
}

int main(void)
{
    pthread_t t;
    void *r;

    pthread_create(&t, 0, thread, 0);
    pthread_join(t, &r);
    assert(x == 1 && r == &x);
    return 0;
}
