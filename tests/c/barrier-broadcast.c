/* A gate: threads wait until it is opened; opening wakes all of them.
 *
 * Asserted: nobody passes a closed gate, and the value set before the gate opened is seen.
 * Safe: `open` is set after `value` under the mutex and never reset.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static _Bool open = 0;
static int value = 0;

static void *passer(void *arg)
{
    pthread_mutex_lock(&m);
    while (!open)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    assert(value == 7);
    return arg;
}

static void *opener(void *arg)
{
    pthread_mutex_lock(&m);
    value = 7;
    open = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, opener, NULL);
    while (1)
        pthread_create(&t, NULL, passer, NULL);
}
