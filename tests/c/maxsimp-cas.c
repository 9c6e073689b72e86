/* Threads look for the maximum of an array without locks.
 *
 * Asserted: the maximum found so far is at least every element already looked at.
 * Safe: max only ever changes from c to a larger e (the swap succeeds only if it still is c), so it
 * only grows; the loop is left when e <= c, a former value of max, or after max became e.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned data[SIZE];
static _Atomic unsigned max;

static void look_at(unsigned e)
{
    unsigned c = atomic_load(&max);

    while (e > c) {
        if (atomic_compare_exchange_strong(&max, &c, e))
            break; /* otherwise c is the value that was found instead */
    }
    assert(e <= atomic_load(&max));
}

static void *worker(void *arg)
{
    for (unsigned i = 0; i < SIZE; i++)
        look_at(data[i]);
    return arg;
}

int main(void)
{
    pthread_t t;

    for (unsigned i = 0; i < SIZE; i++)
        data[i] = __VERIFIER_nondet_uint();
    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
