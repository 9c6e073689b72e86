/* Three threads widen a range by arbitrary numbers.
 * Safe: the range still has 0.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lo, hi;
static void *widen(void *arg)
{
    int v = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (v < lo)
        lo = v;
    if (v > hi)
        hi = v;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    pthread_t t2;
    pthread_create(&t0, 0, widen, 0);
    pthread_create(&t1, 0, widen, 0);
    pthread_create(&t2, 0, widen, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(lo <= 0 && 0 <= hi);
    return 0;
}
