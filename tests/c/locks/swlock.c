/* A lock for one writer and many readers in one word (after concurrencykit's ck_swlock): the highest
 * bit is the writer's, the others count readers.
 *
 * Asserted: nobody writes while others read.
 * Safe: a reader that counted itself while the bit was clear is waited for.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER 0x80000000u

static atomic_uint word = 0;

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
    for (;;) {
        while (atomic_load(&word) & WRITER)
            ;
        if (!(atomic_fetch_add(&word, 1) & WRITER))
            return;
        atomic_fetch_sub(&word, 1);
    }
}

static void read_unlock(void)
{
    atomic_fetch_sub(&word, 1);
}

static void write_lock(void)
{
    atomic_fetch_or(&word, WRITER);
    while (atomic_load(&word) != WRITER)
        ;
}

static void write_unlock(void)
{
    atomic_fetch_and(&word, ~WRITER);
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

    pthread_create(&id, NULL, writer, NULL);
    while (1)
        pthread_create(&id, NULL, reader, NULL);
}
