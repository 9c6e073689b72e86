/* A work-stealing deque of fixed size (after Chase and Lev 2005, as Le and others wrote it in C11,
 * sequentially consistent): the owner works at the bottom, others steal at the top.
 *
 * Asserted: each task is taken once.
 * Safe: the last task is decided by compare-and-swap on the top, which only grows.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 3

static atomic_int top = 0, bottom = 0;
static int taken[SIZE];

static void run(int task)
{
    assert(!taken[task]);
    taken[task] = 1;
}

static void *owner(void *arg)
{
    for (int i = 0; i < SIZE; i++)
        atomic_store(&bottom, i + 1);
    for (;;) {
        int b = atomic_load(&bottom) - 1, t;

        atomic_store(&bottom, b);
        t = atomic_load(&top);
        if (t > b) {
            atomic_store(&bottom, b + 1);
            return arg;
        }
        if (t == b) {
            int won = atomic_compare_exchange_strong(&top, &t, t + 1);

            atomic_store(&bottom, b + 1);
            if (won)
                run(b);
            return arg;
        }
        run(b);
    }
}

static void *thief(void *arg)
{
    int t = atomic_load(&top);
    int b = atomic_load(&bottom);

    if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
        run(t);
    return arg;
}

int main(void)
{
    pthread_t id;

    pthread_create(&id, NULL, owner, NULL);
    while (1)
        pthread_create(&id, NULL, thief, NULL);
}
