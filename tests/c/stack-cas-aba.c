/* A lock-free stack whose nodes are pushed again after they were popped: the ABA problem.
 * The stack is 1 on top of 2 at first; `owned[n]` says that some thread holds node n.
 *
 * Asserted: a node that is popped is not already held by somebody.
 * Breaks: the worker looks at the top, sleeps, and its stale swap succeeds.
 *   W: old = 1, below = 2
 *   M: pops 1, pops 2, gives up and pushes 1 (top = 1, next[1] = 0); M still holds 2
 *   W: swap 1 -> 2 succeeds, W holds 1; W pops 2, which M holds: assert(!owned[2]) fails
 */
#include <assert.h>
#include <pthread.h>

static unsigned next[3] = {0, 2, 0};
static unsigned top = 1;
static _Bool owned[3];

static unsigned pop(void)
{
    unsigned old, below;

    do {
        old = top;
        if (old == 0)
            return 0;
        below = next[old];
    } while (!__sync_bool_compare_and_swap(&top, old, below));
    assert(!owned[old]);
    owned[old] = 1;
    return old;
}

static void push(unsigned node)
{
    unsigned old;

    owned[node] = 0;
    do {
        old = top;
        next[node] = old;
    } while (!__sync_bool_compare_and_swap(&top, old, node));
}

static void *worker(void *arg)
{
    pop();
    pop();
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned a;

    pthread_create(&t, NULL, worker, NULL);
    a = pop();
    pop();
    if (a != 0)
        push(a);
    return 0;
}
