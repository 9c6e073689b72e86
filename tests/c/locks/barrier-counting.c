/* A counting barrier for one use: a gate that opens when enough threads have come (any number may
 * come; after the latch of C++20).
 *
 * Asserted: whoever passes finds that three have come.
 * Safe: the number of threads still missing is three minus those that have come, and 0 is never left.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int missing = 3;
static atomic_int come = 0;

static void arrive_and_wait(void)
{
    int old = atomic_load(&missing);

    while (old > 0 && !atomic_compare_exchange_strong(&missing, &old, old - 1))
        ;
    while (atomic_load(&missing) != 0)
        ;
}

static void *thread(void *arg)
{
    int old = atomic_load(&come);

    while (old < 3 && !atomic_compare_exchange_strong(&come, &old, old + 1))
        ;
    arrive_and_wait();
    assert(atomic_load(&come) == 3);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
