/* A counter that any number of threads increment, each under the lock.
 * `inside` is 1 while a thread is in the critical section, so no thread finds it set. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;
static int inside;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(!inside);
    inside = 1;
    count++;
    inside = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    while (1) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
