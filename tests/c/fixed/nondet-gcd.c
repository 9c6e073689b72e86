/* Two threads subtract the smaller of two arbitrary numbers from the larger, up to 8 times each.
 * Safe: neither becomes 0.
 */
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned a, b;
static void *ab(void *arg)
{
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&m);
        if (a > b)
            a -= b;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *ba(void *arg)
{
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&m);
        if (b > a)
            b -= a;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    a = __VERIFIER_nondet_uchar();
    b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a > 0 && b > 0);
    pthread_create(&t0, 0, ab, 0);
    pthread_create(&t1, 0, ba, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(a > 0 && b > 0);
    return 0;
}
