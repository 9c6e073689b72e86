/* Treiber's stack over a pool of nodes in an array, with a tag beside the top that grows with every
 * change (after IBM's free lists and ck_stack).
 *
 * Asserted: who pops a node has it alone.
 * Unsafe: the tag does not change: the ABA problem.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3
#define NONE 0
#define INDEX 7u

/* The index of the top node, from 1, in the lowest three bits; above it the tag. */
static atomic_uint top = 1;
static atomic_uint next[NODES + 1] = { 0, 2, 3, 0 };
static int taken[NODES + 1];

static void *thread(void *arg)
{
    unsigned old, new, node;

    do {
        old = atomic_load(&top);
        node = old & INDEX;
        if (node == NONE)
            return arg;
        new = atomic_load(&next[node]);
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    assert(!taken[node]);
    taken[node] = 1;
    taken[node] = 0;
    do {
        old = atomic_load(&top);
        atomic_store(&next[node], old & INDEX);
        new = node;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
