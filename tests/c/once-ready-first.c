/* once.c where the flag is set before the value.
 *
 * Asserted: whoever goes on sees the initialised value.
 * Breaks (wrong order): A: not ready, lock, ready = 1    B: ready, assert(config == 42) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool ready = false;
static int config = 0;

static void *user(void *arg)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&m);
        if (!atomic_load(&ready)) {
            atomic_store(&ready, true);
            config = 42;
        }
        pthread_mutex_unlock(&m);
    }
    assert(config == 42);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, user, NULL);
}
