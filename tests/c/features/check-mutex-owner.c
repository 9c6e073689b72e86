/* A mutex is unlocked by a thread that does not hold it, on request. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_lock(&m);
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    return 0;
}
