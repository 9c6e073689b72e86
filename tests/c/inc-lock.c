/* A counter under a mutex, incremented by any number of threads.
 *
 * Asserted: after an increment the counter is larger than the value it had before.
 * Safe: `value` only changes under the lock and only grows, because the largest value is never
 * incremented; so value > v holds from the store on, also after the unlock.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned value = 0;

static unsigned increment(void)
{
    unsigned v;

    pthread_mutex_lock(&m);
    if (value == UINT_MAX) {
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
