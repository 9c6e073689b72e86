/* The queue lock of Craig, Landin and Hagersten, with nodes in an array (after concurrencykit's
 * ck_spinlock_clh). Whoever gets no node does without.
 *
 * Asserted: mutual exclusion.
 * Unsafe: a thread looks only once at its predecessor's node.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3

static atomic_int wait[NODES + 1]; /* the last one is the dummy in the queue at the start */
static atomic_int tail = NODES;
static atomic_int used = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static int lock(int mine)
{
    int before;

    atomic_store(&wait[mine], 1);
    before = atomic_exchange(&tail, mine);
    (void)atomic_load(&wait[before]);
    return before;
}

static void unlock(int mine)
{
    atomic_store(&wait[mine], 0);
}

static void *thread(void *arg)
{
    int mine = atomic_load(&used);

    do {
        if (mine >= NODES)
            return arg;
    } while (!atomic_compare_exchange_weak(&used, &mine, mine + 1));
    for (;;) {
        int before = lock(mine);

        critical();
        unlock(mine);
        mine = before;
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
