/* Wait releases the mutex, and goes on only with the mutex held. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, inside;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    assert(!inside);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waiter, 0);
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    inside = 1;
    ready = 1;
    pthread_cond_signal(&c);
    inside = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
