/* stack-cas.c where a push stores the new top without comparing.
 *
 * Asserted: when both pushes are over, there is a node below the top.
 * Breaks (lost update):
 *   A: node 1, next[1] = 0      B: node 2, next[2] = 0, top = 2
 *   A: top = 1 (node 2 is lost), pushed = 1
 *   B: pushed = 2, assert(next[1] != 0) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static unsigned next[3];
static unsigned top = 0;
static atomic_uint used = 0;   /* nodes handed out */
static atomic_uint pushed = 0; /* pushes finished */

static void *pusher(void *arg)
{
    unsigned node = atomic_fetch_add(&used, 1) + 1;

    if (node > 2)
        return arg;
    next[node] = top;
    top = node; /* should be a compare-and-swap */
    if (atomic_fetch_add(&pushed, 1) == 1)
        assert(next[top] != 0); /* both are on the stack */
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, pusher, NULL);
}
