/* Two threads count to an arbitrary bound of at most 5.
 * Safe: both counted all of it.
 */
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned x, n;
static void *inc(void *arg)
{
    for (unsigned i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 5);
    pthread_create(&t0, 0, inc, 0);
    pthread_create(&t1, 0, inc, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(x == 2 * n);
    return 0;
}
