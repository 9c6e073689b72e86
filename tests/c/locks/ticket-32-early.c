/* A ticket lock with 32-bit tickets that wrap around (after concurrencykit's ck_spinlock_ticket).
 *
 * Asserted: mutual exclusion.
 * Unsafe: the next thread is called before the critical section.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next = 0, serving = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void lock(void)
{
    unsigned mine = atomic_fetch_add(&next, 1);

    while (atomic_load(&serving) != mine)
        ;
}

static void unlock(void)
{
    unsigned now = atomic_load_explicit(&serving, memory_order_relaxed);

    atomic_store(&serving, now + 1);
}

static void *thread(void *arg)
{
    for (;;) {
        lock();
        unlock();
        critical();
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
