/* A spin lock made of atomic_flag.
 *
 * Asserted: the flag is not reset by another thread between lock and unlock.
 * Safe: `busy` is written only by the thread that found the atomic flag clear and set it.
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
    busy = 0;
    atomic_flag_clear(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
