/* maxsimp-cas.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
        data[i] = (__VERIFIER_nondet_uint() & 3);
    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
