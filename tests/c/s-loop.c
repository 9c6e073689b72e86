/* A level that several functions raise and lower in loops, under one mutex.
 *
 * Asserted: the level stays between LOW and HIGH.
 * Safe: every function tests the bound under the lock before it moves the level by one.
 */
#include <assert.h>
#include <pthread.h>

#define LOW 0
#define HIGH 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level = LOW;

static void *raise_level(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (level < HIGH)
            level++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *lower_level(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (level > LOW)
            level--;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *watch(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        assert(level >= LOW && level <= HIGH);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, raise_level, NULL);
        pthread_create(&t, NULL, lower_level, NULL);
        pthread_create(&t, NULL, watch, NULL);
    }
}
