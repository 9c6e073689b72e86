/* A thread waits on a condition variable for an arbitrary number.
 * Safe: it gets the number that was put.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full, value, v;
static void *put(void *arg)
{
    pthread_mutex_lock(&m);
    value = v;
    full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *get(void *arg)
{
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&c, &m);
    assert(value == v);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    v = __VERIFIER_nondet_int();
    pthread_create(&t0, 0, get, 0);
    pthread_create(&t1, 0, put, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
