/* timed-mutex.c with the meaning of trylock's result mistaken: 0 is taken for a failure.
 *
 * Asserted: mutual exclusion.
 * Breaks (forgotten negation): A: trylock takes the lock, returns 0, is called again, returns EBUSY,
 * "success": users = 1     B: trylock returns EBUSY, "success": users = 2, assert fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int users = 0;

static void *thread(void *arg)
{
    while (!pthread_mutex_trylock(&m))
        ;
    users++;
    assert(users == 1);
    users--;
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
