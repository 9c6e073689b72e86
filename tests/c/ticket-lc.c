/* The ticket lock for low contention: a thread that finds the lock free takes it by one
 * compare-and-swap on the dispenser, and draws a ticket otherwise.
 *
 * Asserted: mutual exclusion.
 * Safe: if t still equals the s read before, then nobody holds a ticket (s <= t always, and both
 * only grow), so the ticket drawn by the swap is served at once; the rest is ticket.c.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static volatile unsigned s = 0, t = 0;
static int inside = 0;

unsigned __VERIFIER_atomic_draw(void)
{
    unsigned m = t;

    __VERIFIER_assume(m != UINT_MAX); /* no overflow */
    t = m + 1;
    return m;
}

static void lock(void)
{
    unsigned m = s;

    __VERIFIER_assume(m != UINT_MAX); /* no overflow */
    if (__sync_bool_compare_and_swap(&t, m, m + 1))
        return;
    m = __VERIFIER_atomic_draw();
    while (s != m)
        ;
}

static void *thread(void *arg)
{
    lock();
    assert(inside == 0);
    inside = 1;
    inside = 0;
    s = s + 1;
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
