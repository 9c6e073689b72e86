/* maxsimp-cas-no-retry.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    look_at((__VERIFIER_nondet_uint() & 3));
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
