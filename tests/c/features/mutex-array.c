/* An array of mutexes: different indices are different mutexes. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;

static void *thread(void *arg)
{
    int i = arg != 0;

    pthread_mutex_lock(&m[i]);
    x = i;
    assert(x == i);
    pthread_mutex_unlock(&m[i]);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    thread(&x);
    return 0;
}
