/* inc-cas.c with a compare-and-swap that somebody wrote in plain C.
 *
 * Asserted: after an increment the counter is larger than the value it was computed from.
 * Breaks (not atomic): each worker increments twice.
 *   A: m = 0, value == 0 holds
 *   B: increments 0 to 1; m = 1, value == 1 holds, value = 2
 *   A: value = 1
 *   B: assert(1 > 1) fails
 */
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
        if (m == UINT_MAX)
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
