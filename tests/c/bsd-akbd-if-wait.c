/* bsd-akbd.c where a reader waits with `if` instead of `while`; main is the interrupt routine.
 *
 * Asserted: a reader that goes on finds a key.
 * Breaks (one key, two woken readers), without any spurious wake-up:
 *   R1: lock, buffers == 0, waits     R2: lock, buffers == 0, waits
 *   M: lock, buffers = 1, unlock, broadcast
 *   R1: woken, buffers = 0, unlock    R2: woken, assert(buffers > 0) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static int buffers = 0;

static void *read_key(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (buffers == 0)
        pthread_cond_wait(&cv, &mutex);
    assert(buffers > 0);
    buffers--;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, read_key, NULL);
    pthread_create(&t, NULL, read_key, NULL);
    pthread_mutex_lock(&mutex);
    buffers++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&cv);
    return 0;
}
