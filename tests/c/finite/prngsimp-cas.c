/* prngsimp-cas.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned nondet_uint(void); /* no body: any number */

static atomic_uint seed = 1;

static unsigned draw(unsigned old)
{
    unsigned r;

    do {
        r = nondet_uint() & 3;
    } while (r == old || r == 0);
    return r;
}

static unsigned random_number(void)
{
    unsigned old, fresh;

    while (1) {
        old = seed;
        fresh = draw(old);
        if (atomic_compare_exchange_strong(&seed, &old, fresh))
            break;
    }
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
