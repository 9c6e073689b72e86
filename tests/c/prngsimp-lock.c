/* A pseudo-random generator with a common seed under a mutex.
 *
 * Asserted: two subsequent calls never yield the same number.
 * Safe: whenever the lock is free, last == seed; and next(s) != s for every s, because
 * 5 s + 3 == s (mod 2^32) would need 4 s + 3 == 0, but 4 s + 3 is odd.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned seed = 1;
static unsigned last = 1; /* the number handed out last */

static unsigned next(unsigned s)
{
    return 5 * s + 3;
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
