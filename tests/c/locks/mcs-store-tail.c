/* The queue lock of Mellor-Crummey and Scott, with nodes in an array (after concurrencykit's
 * ck_spinlock_mcs). Node 0 is none.
 *
 * Asserted: mutual exclusion.
 * Unsafe: a thread enters the queue in two steps.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3

static atomic_int tail = 0;
static atomic_int next[NODES + 1], locked[NODES + 1];
static atomic_int used = 1;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void lock(int mine)
{
    int before;

    atomic_store(&locked[mine], 1);
    atomic_store(&next[mine], 0);
    before = atomic_load(&tail);
    atomic_store(&tail, mine);
    if (before != 0) {
        atomic_store(&next[before], mine);
        while (atomic_load(&locked[mine]))
            ;
    }
}

static void unlock(int mine)
{
    int after = atomic_load(&next[mine]);

    if (after == 0) {
        int expected = mine;

        if (atomic_compare_exchange_strong(&tail, &expected, 0))
            return;
        while ((after = atomic_load(&next[mine])) == 0)
            ;
    }
    atomic_store(&locked[after], 0);
}

static void *thread(void *arg)
{
    int mine = atomic_load(&used);

    do {
        if (mine > NODES)
            return arg;
    } while (!atomic_compare_exchange_weak(&used, &mine, mine + 1));
    for (;;) {
        lock(mine);
        critical();
        unlock(mine);
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
