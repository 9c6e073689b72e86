/* Two threads add up the halves of an array of arbitrary numbers.
 * Safe: the sum is that of all elements.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a[4];
static int sum;
static void *left(void *arg)
{
    int s = a[0] + a[1];
    pthread_mutex_lock(&m);
    sum += s;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *right(void *arg)
{
    int s = a[2] + a[3];
    pthread_mutex_lock(&m);
    sum += s;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    int total = 0;
    for (int i = 0; i < 4; i++) {
        a[i] = __VERIFIER_nondet_int();
        total += a[i];
    }
    pthread_create(&t0, 0, left, 0);
    pthread_create(&t1, 0, right, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(sum == total);
    return 0;
}
