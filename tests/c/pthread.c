/* Several functions use one variable; one of the three programs of the table that are wrong.
 *
 * Asserted: the variable stays in 0 .. 1 at the end of each function.
 * Breaks: `set` and `add` take different mutexes (wrong variable).
 *   main: starts both     add: lock a, reads x == 0, decides to add
 *   set: lock b, x = 1, unlock b     add: x = x + 1 = 2, assert fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x = 0;

static void *set(void *arg)
{
    pthread_mutex_lock(&b);
    x = 1;
    assert(x >= 0 && x <= 1);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *add(void *arg)
{
    pthread_mutex_lock(&a);
    if (x == 0) {
        x = x + 1;
        assert(x >= 0 && x <= 1);
    }
    pthread_mutex_unlock(&a);
    return arg;
}

static void *clear(void *arg)
{
    pthread_mutex_lock(&a);
    x = 0;
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, set, NULL);
        pthread_create(&t, NULL, add, NULL);
        pthread_create(&t, NULL, clear, NULL);
    }
}
