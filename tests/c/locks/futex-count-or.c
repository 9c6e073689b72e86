/* A lock whose word says whether it is taken (the sign) and how many threads want it (after musl's
 * __lock).
 *
 * Asserted: mutual exclusion.
 * Unsafe: the lock is taken by setting the bit, whoever has it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TAKEN 0x80000000u

static atomic_uint word = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void lock(void)
{
    unsigned now = 0;

    if (atomic_compare_exchange_strong(&word, &now, TAKEN + 1))
        return;
    now = atomic_fetch_add(&word, 1) + 1;
    for (;;) {
        if (now & TAKEN)
            now -= TAKEN; /* after waiting */
        atomic_fetch_or(&word, TAKEN);
        return;
    }
}

static void unlock(void)
{
    atomic_fetch_sub(&word, TAKEN + 1); /* and wake somebody if more want it */
}

static void *thread(void *arg)
{
    for (;;) {
        lock();
        critical();
        unlock();
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
