/* A space map in the style of Solaris' ZFS: the first user loads it from disk without holding the
 * lock, later users sleep until the load is over.
 *
 * Asserted: at most one thread loads at a time, and after the wait the map is loaded.
 * Safe: `loading` is set under the lock only when neither loading nor loaded holds, and its setter
 * alone resets it; loaded is never reset.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t sm_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sm_load_cv = PTHREAD_COND_INITIALIZER;
static _Bool loading = 0, loaded = 0;
static int loaders = 0; /* threads in the unlocked part */

static void load(void)
{
    while (loading)
        pthread_cond_wait(&sm_load_cv, &sm_lock);
    if (loaded)
        return;
    loading = 1;
    pthread_mutex_unlock(&sm_lock);

    loaders++; /* reads the segments from disk */
    assert(loaders == 1);
    loaders--;

    pthread_mutex_lock(&sm_lock);
    assert(loading && !loaded);
    loaded = 1;
    loading = 0;
    pthread_cond_broadcast(&sm_load_cv);
}

static void *user(void *arg)
{
    pthread_mutex_lock(&sm_lock);
    if (!loaded)
        load();
    assert(loaded);
    pthread_mutex_unlock(&sm_lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, user, NULL);
}
