/* double-lock-2.c where the first lock is released before the second is taken: a later thread can
 * overtake.
 *
 * Asserted: threads arrive in the second region in the order in which they left the first.
 * Breaks (unlock too early):
 *   A: lock a, mine = 0, unlock a    B: lock a, mine = 1, unlock a, lock b, assert(1 == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static unsigned left = 0, arrived = 0;

static void *pass(void *arg)
{
    unsigned mine;

    pthread_mutex_lock(&a);
    mine = left++;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    assert(mine == arrived);
    arrived++;
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, pass, NULL);
}
