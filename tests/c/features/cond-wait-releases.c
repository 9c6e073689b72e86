/* Others can take the mutex while a thread waits. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, go;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    x = 0;
    while (!go)
        pthread_cond_wait(&c, &m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    x = 1;
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
