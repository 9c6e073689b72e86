/* A hand-over through a flag: the giver signals, but a signal that nobody waits for is lost, and the
 * taker that waits without a test takes the next one.
 *
 * Asserted: the taker has what was given last.
 * Breaks (lost wake-up): M: item = 1, signal (nobody waits)
 *   T: lock, waits     M: item = 2, signal     T: woken, assert(item == 1) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int item = 0;

static void *taker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    assert(item == 1);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, taker, NULL);
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        item = i;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
