/* The ticket lock; every thread takes and releases the lock again and again.
 *
 * Asserted: mutual exclusion.
 * Safe: as in ticket.c: all tickets drawn are different (no overflow, by the assume), s <= every
 * ticket that waits or is served, and a thread is inside only while s equals its ticket.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m;

    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(t != UINT_MAX); /* no overflow */
        m = t;
        t = t + 1;
        __VERIFIER_atomic_end();
        while (s != m)
            ;
        assert(inside == 0);
        inside = 1;
        inside = 0;
        s = m + 1;
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
