/* One thread adds a number, another subtracts it, under a mutex.
 * Safe: the sum is 0 again, whatever the number is; additions wrap.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, n;
static void *add(void *arg)
{
    pthread_mutex_lock(&m);
    x = x + n;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *sub(void *arg)
{
    pthread_mutex_lock(&m);
    x = x - n;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    n = __VERIFIER_nondet_int();
    pthread_create(&t0, 0, add, 0);
    pthread_create(&t1, 0, sub, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(x == 0);
    return 0;
}
