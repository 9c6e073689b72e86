/* The ticket lock of ticket.c with a ticket dispenser that is not atomic.
 *
 * Asserted: mutual exclusion.
 * Breaks (non-atomic increment):
 *   A: m = 0     B: m = 0, t = 1, s == 0, inside = 1     A: t = 1, s == 0, assert(inside == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static unsigned s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m = t;

    t = m + 1;
    while (s != m)
        ;
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
