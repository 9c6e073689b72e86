/* prngsimp-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned seed = 1;
static unsigned last = 1; /* the number handed out last */

static unsigned next(unsigned s)
{
    return (5 * s + 3) & 7;
}

static unsigned random_number(void)
{
    unsigned r;

    pthread_mutex_lock(&m);
    r = next(seed);
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
