/* solaris-spacemap.c where a load may fail and a sleeper looks only once (if instead of while).
 *
 * Asserted: at most one thread loads at a time.
 * Breaks:
 * (main is one of the users, A)
 *   A: loading = 1, unlock         B, C: lock, loading, wait
 *   A: the load failed: lock, loading = 0, broadcast, unlock
 *   B: woken, not loaded, loading = 1, unlock, loaders = 1
 *   C: woken, does not look at loading again: loading = 1, unlock, loaders = 2, assert fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t sm_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sm_load_cv = PTHREAD_COND_INITIALIZER;
static _Bool loading = 0, loaded = 0;
static int loaders = 0;

static void *user(void *arg)
{
    pthread_mutex_lock(&sm_lock);
    if (loading)
        pthread_cond_wait(&sm_load_cv, &sm_lock);
    if (!loaded) {
        loading = 1;
        pthread_mutex_unlock(&sm_lock);
        loaders++;
        assert(loaders == 1);
        loaders--;
        pthread_mutex_lock(&sm_lock);
        loaded = __VERIFIER_nondet_int() != 0;
        loading = 0;
        pthread_cond_broadcast(&sm_load_cv);
    }
    pthread_mutex_unlock(&sm_lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, user, NULL);
    pthread_create(&t, NULL, user, NULL);
    user(NULL);
    return 0;
}
