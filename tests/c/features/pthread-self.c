/* A thread is equal to itself and not to its creator. */
#include <assert.h>
#include <pthread.h>

static pthread_t creator;

static void *thread(void *arg)
{
    assert(pthread_equal(pthread_self(), pthread_self()));
    assert(!pthread_equal(pthread_self(), creator));
    return arg;
}

int main(void)
{
    pthread_t t;

    creator = pthread_self();
    while (1)
        pthread_create(&t, 0, thread, 0);
    return 0;
}
