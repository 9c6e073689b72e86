/* maxsimp-lock-unlock-early.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    look_at(__VERIFIER_nondet_int() & 3);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
