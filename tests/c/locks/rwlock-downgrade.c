/* A readers-writer lock whose writers may go on as readers (after concurrencykit's
 * ck_rwlock_write_downgrade).
 *
 * Asserted: nobody writes while others read or write.
 * Safe: a writer counts itself as a reader before it lets go.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint writer_there = 0, n_readers = 0;

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
        while (atomic_load(&writer_there) != 0)
            ;
        atomic_fetch_add(&n_readers, 1);
        if (atomic_load(&writer_there) == 0)
            return;
        atomic_fetch_sub(&n_readers, 1);
    }
}

static void read_unlock(void)
{
    atomic_fetch_sub(&n_readers, 1);
}

static void write_lock(void)
{
    while (atomic_exchange(&writer_there, 1) != 0)
        ;
    while (atomic_load(&n_readers) != 0)
        ;
}

static void downgrade(void)
{
    atomic_fetch_add(&n_readers, 1);
    atomic_store(&writer_there, 0);
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
        downgrade();
        read_shared();
        read_unlock();
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
