/* Two threads count two numbers together, an arbitrary number of times; a third looks.
 * Safe: they are equal under the lock.
 */
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned a, b;
static void *inc(void *arg)
{
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        a++;
        b++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *look(void *arg)
{
    pthread_mutex_lock(&m);
    assert(a == b);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    pthread_t t2;
    pthread_create(&t0, 0, inc, 0);
    pthread_create(&t1, 0, inc, 0);
    pthread_create(&t2, 0, look, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
