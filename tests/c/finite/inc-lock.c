/* inc-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned value = 0;

static unsigned increment(void)
{
    unsigned v;

    pthread_mutex_lock(&m);
    if (value == 3) {
        pthread_mutex_unlock(&m);
        return 0; /* full: nothing was counted */
    }
    v = value;
    value = v + 1;
    pthread_mutex_unlock(&m);
    assert(value > v);
    return v + 1;
}

static void *worker(void *arg)
{
    increment();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
