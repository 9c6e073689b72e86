/* spin.c where the flag is reset after the lock has been released.
 *
 * Asserted: the flag is not reset by another thread between lock and unlock.
 * Breaks (unlock too early): A: locks, busy = 1, unlocks    B: locks, busy = 1    A: busy = 0
 *   B: assert(busy == 1) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int busy = 0;

static void *thread(void *arg)
{
    while (atomic_flag_test_and_set(&lock))
        ;
    busy = 1;
    assert(busy == 1);
    atomic_flag_clear(&lock);
    busy = 0;
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
