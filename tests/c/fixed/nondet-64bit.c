/* Two threads mix an arbitrary 64-bit number into two others under a mutex.
 * Safe: the two are equal.
 */
#include <assert.h>
#include <pthread.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned long x, y;
static void *mix(void *arg)
{
    unsigned long v = __VERIFIER_nondet_ulong();
    pthread_mutex_lock(&m);
    x ^= v;
    y ^= v;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    pthread_create(&t0, 0, mix, 0);
    pthread_create(&t1, 0, mix, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(x == y);
    return 0;
}
