/* maxopt-lock.c with an "optimisation": the lock is only taken if there is something to store.
 *
 * Asserted: the common maximum is at least the maximum of a block that was looked at.
 * Breaks (check, then act), with block maxima 1 and 2 and max = 0:
 *   A: mine = 1 > max        B: mine = 2 > max, lock, max = 2, unlock
 *   A: lock, max = 1, unlock B: assert(2 <= 1) fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int max = 0;

static void *worker(void *arg)
{
    int mine = __VERIFIER_nondet_int();
    int e = __VERIFIER_nondet_int();

    if (e > mine)
        mine = e;
    if (mine > max) {
        pthread_mutex_lock(&m);
        max = mine; /* not compared again */
        pthread_mutex_unlock(&m);
    }
    assert(mine <= max);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
