/* A test-and-set lock, as in C11's own example of atomic_flag.
 *
 * Asserted: mutual exclusion.
 * Safe: whoever finds the flag clear sets it in the same step.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void lock(void)
{
    while (atomic_flag_test_and_set(&taken))
        ;
}

static void unlock(void)
{
    atomic_flag_clear(&taken);
}

static void *thread(void *arg)
{
    lock();
    critical();
    unlock();
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
