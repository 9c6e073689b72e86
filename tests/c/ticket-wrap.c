/* The ticket lock without any protection against wrapping tickets.
 *
 * Asserted: mutual exclusion.
 * Really unsafe, but only with 2^32 + 1 threads that have all drawn a ticket: then two threads hold
 * the same one. No tool will find that by search, but nobody may call this program safe.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m = atomic_fetch_add(&t, 1);

    while (atomic_load(&s) != m)
        ;
    assert(inside == 0);
    inside = 1;
    inside = 0;
    atomic_fetch_add(&s, 1);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
