/* counter-run.c where read_twice releases the lock before its second read.
 *
 * Asserted: the counter does not change between the two reads.
 * Breaks (unlock too early): R: locks, a = 0, releases    I: counter = 1    R: b = 1, assert fails
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
    release();
    b = counter;
    assert(a == b);
}
