/* Two threads take arbitrary amounts from a balance if it is enough, under a mutex.
 * Safe: the balance is never negative.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static void *withdraw(void *arg)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    pthread_mutex_lock(&m);
    if (balance >= n)
        balance -= n;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    balance = __VERIFIER_nondet_int();
    __VERIFIER_assume(balance >= 0);
    pthread_create(&t0, 0, withdraw, 0);
    pthread_create(&t1, 0, withdraw, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(balance >= 0);
    return 0;
}
