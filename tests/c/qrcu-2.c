/* Quick read-copy-update: readers count themselves in one of two counters, an updater waits until all
 * readers that were there before it are gone. One reader, two updaters with one update each.
 *
 * Asserted: a reader that was reading when an update began is not reading any more when it ends.
 * Safe: while the reader is inside, ctr[0] + ctr[1] >= 2 at every moment. A single sum read in two
 * steps can miss that because of one flip in between, but not twice: the flipper then waits for
 * the reader while it holds the mutex. On the slow path the updater itself waits for the counter
 * that the reader is in.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

#define UPDATES 1

enum { OUTSIDE, READING, FINISHED };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int idx = 0;
static int ctr0 = 1, ctr1 = 0;
static int reader = OUTSIDE;

/* Counts the caller in if the counter is not zero. */
int __VERIFIER_atomic_enter(int i)
{
    if (i == 0) {
        if (ctr0 == 0)
            return 0;
        ctr0++;
    } else {
        if (ctr1 == 0)
            return 0;
        ctr1++;
    }
    return 1;
}

static void *read_side(void *arg)
{
    int i;

    do {
        i = idx;
    } while (!__VERIFIER_atomic_enter(i));
    reader = READING;
    reader = FINISHED;
    if (i == 0)
        __sync_fetch_and_sub(&ctr0, 1);
    else
        __sync_fetch_and_sub(&ctr1, 1);
    return arg;
}

static int sum(void)
{
    int n;

    if (__VERIFIER_nondet_int()) {
        n = ctr0;
        n += ctr1;
    } else {
        n = ctr1;
        n += ctr0;
    }
    return n;
}

static void flip_and_wait(void)
{
    pthread_mutex_lock(&m);
    if (idx == 0) {
        __sync_fetch_and_add(&ctr1, 1);
        idx = 1;
        __sync_fetch_and_sub(&ctr0, 1);
        while (ctr0 > 0)
            ;
    } else {
        __sync_fetch_and_add(&ctr0, 1);
        idx = 0;
        __sync_fetch_and_sub(&ctr1, 1);
        while (ctr1 > 0)
            ;
    }
    pthread_mutex_unlock(&m);
}

static void *update_side(void *arg)
{
    for (int i = 0; i < UPDATES; i++) {
        int before = reader;

        if (sum() > 1 || sum() > 1)
            flip_and_wait();
        assert(!(before == READING && reader == READING));
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, read_side, NULL);
    pthread_create(&t, NULL, update_side, NULL);
    pthread_create(&t, NULL, update_side, NULL);
    return 0;
}
