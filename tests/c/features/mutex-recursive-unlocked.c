/* A recursive mutex that is unlocked as often as it was locked is free. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int x;

static void *thread(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    assert(x == 1);
    x = 0;
    return arg;
}

int main(void)
{
    pthread_mutexattr_t a;
    pthread_t t;

    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    while (1)
        pthread_create(&t, 0, thread, 0);
    return 0;
}
