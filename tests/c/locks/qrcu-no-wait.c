/* RCU with two counters (after QRCU by McKenney and Nesterov): readers count themselves in the current
 * one, a writer turns to the other and waits until the old one is empty.
 *
 * Asserted: nothing that a reader may use is freed while it reads.
 * Unsafe: the writer does not wait for the old readers.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter[2] = { 1, 0 };
static atomic_int current = 0;
static atomic_int mutex = 0;
static int freed = 0;
static atomic_int published = 1;

static void *reader(void *arg)
{
    int mine, old;

    for (;;) {
        mine = atomic_load(&current) & 1;
        old = atomic_load(&counter[mine]);
        if (old > 0 && atomic_compare_exchange_strong(&counter[mine], &old, old + 1))
            break;
    }
    if (atomic_load(&published))
        assert(!freed);
    atomic_fetch_sub(&counter[mine], 1);
    return arg;
}

static void *writer(void *arg)
{
    int old;

    while (atomic_exchange(&mutex, 1))
        ;
    atomic_store(&published, 0);
    old = atomic_load(&current) & 1;
    atomic_fetch_add(&counter[!old], 1);
    atomic_store(&current, !old);
    atomic_fetch_sub(&counter[old], 1);
    freed = 1;
    freed = 0;
    atomic_store(&published, 1);
    atomic_store(&mutex, 0);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1) {
        pthread_create(&id, NULL, reader, NULL);
        pthread_create(&id, NULL, writer, NULL);
    }
}
