/* inc-cas.c without the test for a full counter, which starts one below its largest value.
 *
 * Asserted: after an increment the counter is larger than the value it was computed from.
 * Breaks (missing check):
 *   A: m = UINT_MAX - 1, CAS succeeds, assert holds
 *   B: m = UINT_MAX, l = 0, CAS succeeds, assert(0 > UINT_MAX) fails
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static volatile unsigned value = UINT_MAX - 1;

static unsigned increment(void)
{
    unsigned m, l;

    do {
        m = value;
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
