/* A readers-writer lock in one word: the number of readers, or all ones for a writer (after musl's
 * pthread_rwlock).
 *
 * Asserted: nobody writes while others read or write.
 * Unsafe: a reader counts itself by a store.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER 0x7fffffff

static atomic_int word = 0;

static int writing = 0;

static void read_shared(void)
{
    assert(writing == 0);
}

static void write_shared(void)
{
    assert(writing == 0);
    writing = 1;
    writing = 0;
}

static void read_lock(void)
{
    int old, new;

    do {
        old = atomic_load(&word);
        while (old == WRITER || old == WRITER - 1)
            old = atomic_load(&word);
        new = old + 1;
        atomic_store(&word, new);
    } while (0);
}

static void write_lock(void)
{
    int free = 0;

    while (!atomic_compare_exchange_strong(&word, &free, WRITER))
        free = 0;
}

/* Both kinds: the last one leaves 0. */
static void unlock(void)
{
    int old, new;

    do {
        old = atomic_load(&word);
        new = old == WRITER ? 0 : old - 1;
    } while (!atomic_compare_exchange_strong(&word, &old, new));
}

static void read_unlock(void)
{
    unlock();
}

static void write_unlock(void)
{
    unlock();
}

static void *reader(void *arg)
{
    for (;;) {
        read_lock();
        read_shared();
        read_unlock();
    }
    return arg;
}

static void *writer(void *arg)
{
    for (;;) {
        write_lock();
        write_shared();
        write_unlock();
    }
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
