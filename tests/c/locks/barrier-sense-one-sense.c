/* A barrier that reverses its sense (Mellor-Crummey and Scott 1991; ck_barrier_centralized).
 *
 * Asserted: no thread is in a round while another one is two rounds ahead or behind.
 * Unsafe: threads do not turn their own sense.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PARTIES 3

static atomic_int waiting = PARTIES;
static atomic_int sense = 0;
static atomic_int arrived[2];

static void barrier(int *own)
{
    *own = 1;
    if (atomic_fetch_sub(&waiting, 1) == 1) {
        atomic_store(&waiting, PARTIES);
        atomic_store(&sense, *own);
    } else {
        while (atomic_load(&sense) != *own)
            ;
    }
}

static void *thread(void *arg)
{
    int own = 0;

    for (int round = 0; round < 2; round++) {
        atomic_fetch_add(&arrived[round], 1);
        barrier(&own);
        assert(atomic_load(&arrived[round]) == PARTIES);
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    for (int i = 0; i < PARTIES; i++)
        pthread_create(&id, NULL, thread, NULL);
    return 0;
}
