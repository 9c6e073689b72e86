/* The counters of a thread pool (after libuv's uv__threadpool: idle threads and all threads, under a
 * lock).
 *
 * Asserted: there are never more idle threads than threads, and a worker that leaves was counted.
 * Unsafe: a thread that leaves without work is idle no more twice.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned idle = 0, all = 0, queued = 0;
extern int __VERIFIER_nondet_int(void);

static void *thread(void *arg)
{
    pthread_mutex_lock(&mutex);
    all++;
    for (;;) {
        idle++;
        assert(idle <= all);
        while (queued == 0 && __VERIFIER_nondet_int()) {
            pthread_mutex_unlock(&mutex); /* waits */
            pthread_mutex_lock(&mutex);
        }
        idle--;
        assert(idle < all);
        if (queued == 0) {
            all--;
            break;
        }
        queued--;
        pthread_mutex_unlock(&mutex); /* works */
        pthread_mutex_lock(&mutex);
    }
    assert(all > 0);
    all--;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *client(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (queued < 1000)
        queued++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1) {
        pthread_create(&id, NULL, thread, NULL);
        pthread_create(&id, NULL, client, NULL);
    }
}
