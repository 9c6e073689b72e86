/* barrier-broadcast.c where the opener broadcasts already when it starts, and the waiters trust
 * every wake-up.
 *
 * Asserted: the value set before the gate opened is seen.
 * Breaks (lost condition): P: lock, waits    O: broadcast    P: woken, unlock, assert(value == 7) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int value = 0;

static void *passer(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    assert(value == 7);
    return arg;
}

static void *opener(void *arg)
{
    pthread_cond_broadcast(&c);
    pthread_mutex_lock(&m);
    value = 7;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, passer, NULL);
    while (1)
        pthread_create(&t, NULL, opener, NULL);
}
