/* semaphore.c with one permit where a waiter looks only once: another thread takes the permit
 * between the signal and the waiter's return.
 *
 * Asserted: there is never more than one thread inside.
 * Breaks (if instead of while):
 *   A: permits = 0, inside = 1     B: permits == 0, waits
 *   A: inside = 0, permits = 1, signal, unlock
 *   C: permits == 1, permits = 0, inside = 1     B: woken, permits = -1, inside = 2, assert fails
 * Main is A.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int permits = 1;
static int inside = 0;

static void *thread(void *arg)
{
    pthread_mutex_lock(&m);
    if (permits == 0)
        pthread_cond_wait(&c, &m);
    permits--;
    inside++;
    assert(inside <= 1);
    pthread_mutex_unlock(&m);

    pthread_mutex_lock(&m);
    inside--;
    permits++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    pthread_create(&t, NULL, thread, NULL);
    thread(NULL);
    return 0;
}
