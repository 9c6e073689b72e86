/* The ticket lock with threads that may give up waiting; one that gives up must hand on its ticket
 * only when it is served, but here it advances s at once.
 *
 * Asserted: mutual exclusion.
 * Breaks: main and two threads.
 *   M: m = 0, inside = 1      A: m = 1, waits      B: m = 2, gives up, s = 1
 *   A: s == 1, assert(inside == 0) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_uint s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m = atomic_fetch_add(&t, 1);

    while (atomic_load(&s) != m) {
        if (__VERIFIER_nondet_int())
            goto out; /* gives up */
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
out:
    atomic_fetch_add(&s, 1);
    return arg;
}

int main(void)
{
    pthread_t id;

    pthread_create(&id, NULL, thread, NULL);
    pthread_create(&id, NULL, thread, NULL);
    thread(NULL);
    return 0;
}
