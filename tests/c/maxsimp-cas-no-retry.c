/* maxsimp-cas.c where a failed compare-and-swap is taken as "somebody stored a larger one".
 *
 * Asserted: the maximum found so far is at least every element already looked at.
 * Breaks (no retry), with elements 2 and 1 and max = 0:
 *   A: e = 2, c = 0       B: e = 1, c = 0, swap succeeds, max = 1
 *   A: swap fails; assert(2 <= 1) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

static _Atomic unsigned max;

static void look_at(unsigned e)
{
    unsigned c = atomic_load(&max);

    if (e > c)
        atomic_compare_exchange_strong(&max, &c, e);
    assert(e <= atomic_load(&max));
}

static void *worker(void *arg)
{
    look_at(__VERIFIER_nondet_uint());
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
