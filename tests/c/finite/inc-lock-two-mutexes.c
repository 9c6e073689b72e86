/* inc-lock-two-mutexes.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static unsigned value = 0;

static void *increment(void *arg)
{
    pthread_mutex_lock(&m1);
    value = (value + 1) & 3;
    pthread_mutex_unlock(&m1);
    return arg;
}

static void *read_twice(void *arg)
{
    unsigned a, b;

    pthread_mutex_lock(&m2);
    a = value;
    b = value;
    assert(a == b);
    pthread_mutex_unlock(&m2);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, increment, NULL);
        pthread_create(&t, NULL, read_twice, NULL);
    }
}
