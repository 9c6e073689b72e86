/* A counting semaphore with two permits, made of a mutex and a condition variable.
 *
 * Asserted: there are never more than two threads inside.
 * Safe: permits + inside == 2 whenever the mutex is free, and permits is tested again after each
 * wait.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int permits = 2;
static int inside = 0;

static void down(void)
{
    pthread_mutex_lock(&m);
    while (permits == 0)
        pthread_cond_wait(&c, &m);
    permits--;
    inside++;
    assert(inside <= 2);
    pthread_mutex_unlock(&m);
}

static void up(void)
{
    pthread_mutex_lock(&m);
    inside--;
    permits++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}

static void *thread(void *arg)
{
    down();
    up();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
