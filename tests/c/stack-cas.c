/* A lock-free stack of numbered nodes (0: no node); pops give nodes away for good, so that no node
 * number comes back (no ABA).
 *
 * Asserted: in the very step of a successful push the stack is not empty.
 * Safe: a node number is 1 .. NODES, never 0, and a successful push makes it the top.
 */
#include <assert.h>
#include <pthread.h>

#define NODES 3

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned next[NODES + 1];
static unsigned top = 0;
static unsigned used = 0;

/* A fresh node, or 0 when all are used up. */
unsigned __VERIFIER_atomic_fresh_node(void)
{
    if (used == NODES)
        return 0;
    used = used + 1;
    return used;
}

static void *pusher(void *arg)
{
    unsigned node = __VERIFIER_atomic_fresh_node();
    unsigned old;
    int done = 0;

    if (node == 0)
        return arg;
    while (!done) {
        old = top;
        next[node] = old;
        __VERIFIER_atomic_begin();
        if (top == old) {
            top = node;
            done = 1;
            assert(top != 0);
        }
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *popper(void *arg)
{
    unsigned old, below;

    do {
        old = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        if (old == 0)
            return arg; /* empty */
        below = next[old];
    } while (!__sync_bool_compare_and_swap(&top, old, below));
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, NULL, pusher, NULL);
        else
            pthread_create(&t, NULL, popper, NULL);
    }
}
