/* inc-cas-compare-then-store.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static volatile unsigned value = 0;

static int compare_and_swap(unsigned expected, unsigned desired)
{
    if (value != expected)
        return 0;
    value = desired; /* too late: it may have changed */
    return 1;
}

static void increment(void)
{
    unsigned m;

    do {
        m = value;
        if (m == 3)
            return;
    } while (!compare_and_swap(m, m + 1));
    assert(value > m);
}

static void *worker(void *arg)
{
    increment();
    increment();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
