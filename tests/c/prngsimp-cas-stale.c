/* prngsimp-cas.c where a failed swap reads the seed anew but keeps the number computed before.
 *
 * Asserted: the number handed out differs from the seed it replaced.
 * Breaks (stale value):
 *   A: old = 1, fresh = 8     B: old = 1, fresh = 8, swap succeeds, seed = 8
 *   A: swap fails and sets old = 8; swap succeeds; assert(8 != 8) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seed = 1;

static unsigned random_number(void)
{
    unsigned old = atomic_load(&seed);
    unsigned fresh = 5 * old + 3;

    while (!atomic_compare_exchange_strong(&seed, &old, fresh))
        ; /* on failure old is set to the seed found */
    assert(fresh != old);
    return fresh % 100;
}

static void *worker(void *arg)
{
    random_number();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
