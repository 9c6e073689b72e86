/* A mutex that is tried three times; a thread that does not get it goes on without the resource.
 *
 * Asserted: mutual exclusion of those who got it.
 * Safe: only a thread whose trylock returned 0 uses the resource and unlocks.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int users = 0;

static int lock_within(int tries)
{
    while (tries-- > 0)
        if (pthread_mutex_trylock(&m) == 0)
            return 1;
    return 0;
}

static void *thread(void *arg)
{
    if (lock_within(3)) {
        users++;
        assert(users == 1);
        users--;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
