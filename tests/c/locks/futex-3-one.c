/* A mutex over a futex with three states: free, taken, taken and perhaps somebody waits (Drepper,
 * "Futexes are tricky", mutex2).
 *
 * Asserted: mutual exclusion.
 * Unsafe: whoever waited takes the lock without looking.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

/* Waits while the word has this value; may return at any time. */
static void futex_wait(atomic_int *word, int value)
{
    (void)(atomic_load(word) == value);
}

static void lock(void)
{
    int c = 0;

    if (atomic_compare_exchange_strong(&state, &c, 1))
        return;
    if (c != 2)
        c = atomic_exchange(&state, 2);
    while (c != 0) {
        futex_wait(&state, 2);
        atomic_exchange(&state, 2);
        c = 0;
    }
}

static void unlock(void)
{
    if (atomic_fetch_sub(&state, 1) != 1)
        atomic_store(&state, 0); /* and wake somebody */
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
