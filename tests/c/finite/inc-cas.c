/* inc-cas.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static volatile unsigned value = 0;

static unsigned increment(void)
{
    unsigned m, l;

    do {
        m = value;
        if (m == 3)
            return 0; /* full: nothing was counted */
        l = m + 1;
    } while (!__sync_bool_compare_and_swap(&value, m, l));
    assert(value > m);
    return l;
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
