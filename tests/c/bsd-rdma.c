/* Address resolution in the style of an RDMA stack: requesters enter a request and sleep, a handler
 * answers all open requests at once and wakes everybody.
 *
 * Asserted: after its wait a requester sees no open request.
 * Safe: both flags change under the lock; a requester opens a request only while done does not
 * hold, the handler sets done and closes all requests in one lock round, and done is never reset, so
 * done implies !open whenever the lock is free.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static _Bool open = 0; /* some request waits for an answer */
static _Bool done = 0; /* the handler has answered */

static void *resolve(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!done)
        open = 1;
    while (!done)
        pthread_cond_wait(&answered, &lock);
    assert(!open);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *handler(void *arg)
{
    pthread_mutex_lock(&lock);
    if (open) {
        open = 0;
        done = 1;
        pthread_cond_broadcast(&answered);
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, NULL, resolve, NULL);
        else
            pthread_create(&t, NULL, handler, NULL);
    }
}
