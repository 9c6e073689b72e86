/* A counter under a mutex, but the two functions use different mutexes.
 *
 * Asserted: the counter does not change while `read_twice` holds the lock.
 * Breaks (wrong variable): `increment` locks m1, `read_twice` locks m2.
 *   R: lock m2, a = 0      W: lock m1, value = 1, unlock m1      R: b = 1, assert(a == b) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static unsigned value = 0;

static void *increment(void *arg)
{
    pthread_mutex_lock(&m1);
    value++;
    pthread_mutex_unlock(&m1);
    return arg;
}

static void *read_twice(void *arg)
{
    unsigned a, b;

    pthread_mutex_lock(&m2);
    a = value;
    b = value;
    assert(a == b);
    pthread_mutex_unlock(&m2);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, increment, NULL);
        pthread_create(&t, NULL, read_twice, NULL);
    }
}
