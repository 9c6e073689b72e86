/* bsd-rdma.c where a request is entered before the lock is taken.
 *
 * Asserted: after its wait a requester sees no open request.
 * Breaks (missing lock):
 *   R1: reads done == 0               R2: reads done == 0, open = 1
 *   M (handler): lock, open = 0, done = 1, broadcast, unlock
 *   R1: open = 1, lock, done holds, assert(!open) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static _Bool open = 0;
static _Bool done = 0;

static void *resolve(void *arg)
{
    if (!done)
        open = 1;
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&answered, &lock);
    assert(!open);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void handler(void)
{
    pthread_mutex_lock(&lock);
    if (open) {
        open = 0;
        done = 1;
        pthread_cond_broadcast(&answered);
    }
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, resolve, NULL);
    pthread_create(&t, NULL, resolve, NULL);
    handler();
    return 0;
}
