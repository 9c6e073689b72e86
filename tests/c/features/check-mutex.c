/* A mutex that is not held is unlocked, on request. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
