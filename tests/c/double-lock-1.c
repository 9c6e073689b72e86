/* A shared resource that is used while both of two locks are held; one kind of thread holds only
 * the outer lock in the meantime.
 *
 * Asserted: nobody else uses the resource at the same time.
 * Safe: users set and reset `count` while they hold a and b; whoever holds a alone leaves it alone.
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
    count++;
    assert(count == 1);
    count--;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
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
