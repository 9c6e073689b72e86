/* Locks taken hand over hand: everybody passes through the first region, locks the second one before
 * leaving the first, and uses the resource there.
 *
 * Asserted: at most one thread is in each region.
 * Safe: region 1 is used while holding a, region 2 while holding b.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int first = 0, second = 0;

static void *pass(void *arg)
{
    pthread_mutex_lock(&a);
    first = first + 1;
    assert(first == 1);
    first = first - 1;
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    second = second + 1;
    assert(second == 1);
    second = second - 1;
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, pass, NULL);
}
