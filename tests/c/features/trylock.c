/* Trylock returns 0 exactly when it took the mutex. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thread(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, thread, 0);
    return 0;
}
