/* A lock that is read before it is taken, with exponential backoff (after concurrencykit's
 * ck_spinlock_fas and Anderson 1990).
 *
 * Asserted: mutual exclusion.
 * Unsafe: the lock is taken by a store, after it was seen free.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void lock(void)
{
    unsigned delay = 1;

    for (;;) {
        while (atomic_load_explicit(&taken, memory_order_relaxed) != 0)
            ;
        if (atomic_load(&taken) == 0) {
            atomic_store(&taken, 1);
            return;
        }
        for (volatile unsigned i = 0; i < delay; i++)
            ;
        if (delay < 1024)
            delay *= 2;
    }
}

static void unlock(void)
{
    atomic_store_explicit(&taken, 0, memory_order_release);
}

static void *thread(void *arg)
{
    lock();
    critical();
    unlock();
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
