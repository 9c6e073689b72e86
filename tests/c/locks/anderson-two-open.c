/* The array lock of Anderson (1990; also concurrencykit's ck_spinlock_anderson, as it is where the
 * number of slots is no power of two): each thread waits at a slot of its own.
 *
 * Asserted: mutual exclusion.
 * Unsafe: two slots are open at the start.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 3

static atomic_int open[SLOTS] = { 1, 1 };
static atomic_uint next = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static unsigned lock(void)
{
    unsigned mine = atomic_load(&next);

    while (!atomic_compare_exchange_weak(&next, &mine, mine == SLOTS - 1 ? 0 : mine + 1))
        ;
    while (!atomic_load(&open[mine]))
        ;
    atomic_store(&open[mine], 0);
    return mine;
}

static void unlock(unsigned mine)
{
    atomic_store(&open[mine == SLOTS - 1 ? 0 : mine + 1], 1);
}

static void *thread(void *arg)
{
    for (;;) {
        unsigned mine = lock();

        critical();
        unlock(mine);
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
