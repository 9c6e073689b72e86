/* inc-lock.c with the test for a full counter made before the lock is taken.
 *
 * Asserted: after an increment the counter is larger than the value it had before.
 * Breaks (check, then act): the counter starts one below its largest value.
 *   A: value == UINT_MAX is false     B: value == UINT_MAX is false
 *   A: lock, value = UINT_MAX, unlock, assert holds
 *   B: lock, v = UINT_MAX, value = 0, unlock, assert(0 > UINT_MAX) fails
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned value = UINT_MAX - 1;

static unsigned increment(void)
{
    unsigned v;

    if (value == UINT_MAX)
        return 0;
    pthread_mutex_lock(&m);
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
