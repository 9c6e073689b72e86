/* Two threads swap two arbitrary numbers under a mutex.
 * Safe: after two swaps all is as before.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b;
static void *swap(void *arg)
{
    pthread_mutex_lock(&m);
    int t = a;
    a = b;
    b = t;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    int p = a, q = b;
    pthread_create(&t0, 0, swap, 0);
    pthread_create(&t1, 0, swap, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(a == p && b == q);
    return 0;
}
