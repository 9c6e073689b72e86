/* Nothing after a deadlock is reached (the second lock of a plain mutex blocks). */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
    return 0;
}
