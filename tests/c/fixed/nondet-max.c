/* Two threads compare arbitrary numbers with a common maximum.
 * Safe: the maximum is one of them and not less than either.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int max, a, b;
static void *one(void *arg)
{
    pthread_mutex_lock(&m);
    if (a > max)
        max = a;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&m);
    if (b > max)
        max = b;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    max = a;
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(max >= a && max >= b);
    assert(max == a || max == b);
    return 0;
}
