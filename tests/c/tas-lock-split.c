/* tas-lock.c where the test-and-set is a test and then a set.
 *
 * Asserted: mutual exclusion.
 * Breaks (not atomic): A: lock == 0    B: lock == 0, lock = 1, c = 1
 *   A: lock = 1, c = 2, assert(c == 1) fails
 */
#include <assert.h>

volatile int lock = 0;
int c = 0;

static void acquire_lock(void)
{
    while (lock)
        ;
    lock = 1;
}

void thr1(void)
{
    acquire_lock();
    c++;
    assert(c == 1);
    c--;
    lock = 0;
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thr1();
    }
}
