/* netbsd-sysmon.c where the daemon releases the mutex between its test and taking the event.
 *
 * Asserted: the count never falls below zero (wraps to a huge number).
 * Breaks (unlock too early); main queued one event before it started two daemons:
 *   D1: lock, count == 1, unlock      D2: lock, count == 1, unlock, lock, count = 0, unlock
 *   D1: lock, count = UINT_MAX, assert(count < QUEUE) fails
 */
#include <assert.h>
#include <pthread.h>

#define QUEUE 4

static pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static unsigned count = 1;

static void *daemon_read(void *arg)
{
    pthread_mutex_lock(&mtx);
    while (count == 0)
        pthread_cond_wait(&cv, &mtx);
    pthread_mutex_unlock(&mtx);
    /* the event would be copied to the caller here */
    pthread_mutex_lock(&mtx);
    count--;
    assert(count < QUEUE);
    pthread_mutex_unlock(&mtx);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, daemon_read, NULL);
}
