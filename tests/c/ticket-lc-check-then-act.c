/* ticket-lc.c whose fast path compares s with t and then stores t.
 *
 * Asserted: mutual exclusion.
 * Breaks (check, then act):
 *   A: s == t holds     B: s == t holds, t = 1, inside = 1     A: t = 2, assert(inside == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static volatile unsigned s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m;

    if (s == t) {
        t = t + 1;
    } else {
        m = __sync_fetch_and_add(&t, 1);
        while (s != m)
            ;
    }
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
