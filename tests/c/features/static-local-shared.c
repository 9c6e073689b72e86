/* A static local is shared between threads. */
#include <assert.h>
#include <pthread.h>

static int next(void)
{
    static int n = 0;

    return n++;
}

static void *thread(void *arg)
{
    next();
    return arg;
}

int main(void)
{
    pthread_t t;
    int a, b;

    pthread_create(&t, 0, thread, 0);
    a = next();
    b = next();
    assert(b == a + 1);
    return 0;
}
