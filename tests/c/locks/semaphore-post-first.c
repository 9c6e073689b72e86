/* A counting semaphore (after musl's sem_post and sem_trywait: a number changed by compare-and-swap).
 *
 * Asserted: at most three threads are between wait and post.
 * Unsafe: a thread posts before it leaves.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 3;
static atomic_int inside = 0;

static void wait(void)
{
    int old;

    for (;;) {
        old = atomic_load(&value);
        if (old > 0 && atomic_compare_exchange_strong(&value, &old, old - 1))
            return;
    }
}

static void post(void)
{
    int old;

    do
        old = atomic_load(&value);
    while (!atomic_compare_exchange_strong(&value, &old, old + 1));
}

static void *thread(void *arg)
{
    for (;;) {
        wait();
        assert(atomic_fetch_add(&inside, 1) < 3);
        post();
        atomic_fetch_sub(&inside, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
