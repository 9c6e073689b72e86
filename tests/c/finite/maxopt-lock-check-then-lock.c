/* maxopt-lock-check-then-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int max = 0;

static void *worker(void *arg)
{
    int mine = __VERIFIER_nondet_int() & 3;
    int e = __VERIFIER_nondet_int() & 3;

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
