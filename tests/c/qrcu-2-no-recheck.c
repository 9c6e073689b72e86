/* qrcu-2.c where an updater trusts a single sum of the two counters; main is one of the updaters.
 *
 * Asserted: a reader that was reading when an update began is not reading any more when it ends.
 * Breaks (two reads that do not belong together):
 *   R: i = 0, ctr0 = 2, READING
 *   M: before = READING, reads ctr1 == 0
 *   U: sum is 2, lock, ctr1 = 1, idx = 1, ctr0 = 1, waits
 *   M: reads ctr0 == 1, the sum is 1: does not wait; the reader is still READING: assert fails
 */
#include <assert.h>
#include <pthread.h>

enum { OUTSIDE, READING, FINISHED };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int idx = 0;
static int ctr[2] = {1, 0};
static int reader = OUTSIDE;

int __VERIFIER_atomic_enter(int i)
{
    if (ctr[i] == 0)
        return 0;
    ctr[i]++;
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
    __sync_fetch_and_sub(&ctr[i], 1);
    return arg;
}

static void *update_side(void *arg)
{
    int before = reader;
    int n = ctr[1];

    n += ctr[0];
    if (n > 1) {
        pthread_mutex_lock(&m);
        int i = idx;
        __sync_fetch_and_add(&ctr[1 - i], 1);
        idx = 1 - i;
        __sync_fetch_and_sub(&ctr[i], 1);
        while (ctr[i] > 0)
            ;
        pthread_mutex_unlock(&m);
    }
    assert(!(before == READING && reader == READING));
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, read_side, NULL);
    pthread_create(&t, NULL, update_side, NULL);
    update_side(NULL);
    return 0;
}
