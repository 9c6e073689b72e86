/* counter-run.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    counter = (counter + 1) & 3;
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
