/* double-lock-1.c where the users release the outer lock too early, so that the inspector, which takes
 * the outer one, is not kept out.
 *
 * Asserted: nobody uses the resource while it is inspected.
 * Breaks:
 *   U: lock a, lock b, unlock a, count = 1      I: lock a, assert(count == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int count = 0;

static void *use(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    count++;
    assert(count == 1);
    count--;
    pthread_mutex_unlock(&b);
    return arg;
}

static void *inspect(void *arg)
{
    pthread_mutex_lock(&a);
    assert(count == 0);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, use, NULL);
        pthread_create(&t, NULL, inspect, NULL);
    }
}
