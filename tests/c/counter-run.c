/* A library without a main: any number of threads run `increment` and `read_twice`.
 *
 * Asserted: the counter does not change while the lock is held.
 * Safe: both functions hold the spin lock around their accesses.
 */
#include <assert.h>

static volatile int lock = 0;
static unsigned counter = 0;

static void acquire(void)
{
    while (__sync_lock_test_and_set(&lock, 1))
        ;
}

static void release(void)
{
    __sync_lock_release(&lock);
}

void increment(void)
{
    acquire();
    counter++;
    release();
}

void read_twice(void)
{
    unsigned a, b;

    acquire();
    a = counter;
    b = counter;
    release();
    assert(a == b);
}
