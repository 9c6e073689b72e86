/* A lock-free counter: read, add one, compare-and-swap, again if somebody was faster.
 *
 * Asserted: after an increment the counter is larger than the value it was computed from.
 * Safe: the counter only changes from some m < UINT_MAX to m + 1, so it only grows; at the
 * successful compare-and-swap value == m + 1 > m, and value > m stays true.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static volatile unsigned value = 0;

static unsigned increment(void)
{
    unsigned m, l;

    do {
        m = value;
        if (m == UINT_MAX)
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
