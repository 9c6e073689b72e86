/* prngsimp-lock-unlock-early.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned seed = 1;
static unsigned last = 1;

static unsigned random_number(void)
{
    unsigned s, r;

    pthread_mutex_lock(&m);
    s = seed;
    pthread_mutex_unlock(&m);
    r = (5 * s + 3) & 7;
    pthread_mutex_lock(&m);
    seed = r;
    assert(r != last);
    last = r;
    pthread_mutex_unlock(&m);
    return r;
}

static void *worker(void *arg)
{
    random_number();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
