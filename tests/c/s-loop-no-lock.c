/* s-loop.c where lower_level forgets the lock around its test.
 *
 * Asserted: the level never gets below LOW.
 * Breaks (check, then act), from level 1: A: level > 0    B: level > 0, level = 0
 *   A: level = -1, assert fails
 */
#include <assert.h>
#include <pthread.h>

#define LOW 0

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level = LOW + 1;

static void *lower_level(void *arg)
{
    while (1) {
        if (level > LOW) {
            pthread_mutex_lock(&m);
            level--;
            assert(level >= LOW);
            pthread_mutex_unlock(&m);
        }
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, lower_level, NULL);
}
