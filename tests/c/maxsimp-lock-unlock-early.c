/* maxsimp-lock.c where the store happens after the unlock; two elements are enough.
 *
 * Asserted: the maximum found so far is at least every element already looked at.
 * Breaks (unlock too early), with elements 1 and 2 and max = 0:
 *   A: e = 1, lock, 1 > 0, unlock     B: e = 2, lock, 2 > 0, unlock, max = 2
 *   A: max = 1                        B: assert(2 <= 1) fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int max = 0;

static void look_at(int e)
{
    int larger;

    pthread_mutex_lock(&m);
    larger = e > max;
    pthread_mutex_unlock(&m);
    if (larger)
        max = e;
    assert(e <= max);
}

static void *worker(void *arg)
{
    look_at(__VERIFIER_nondet_int());
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
