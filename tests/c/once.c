/* Double-checked initialisation (sequentially consistent).
 *
 * Asserted: whoever goes on sees the initialised value, and it is initialised once.
 * Safe: `ready` is set after `config` under the mutex and is tested again under it, so only the
 * first thread under the mutex initialises.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool ready = false;
static int config = 0, times = 0;

static void *user(void *arg)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&m);
        if (!atomic_load(&ready)) {
            times++;
            config = 42;
            atomic_store(&ready, true);
        }
        pthread_mutex_unlock(&m);
    }
    assert(config == 42 && times == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, user, NULL);
}
