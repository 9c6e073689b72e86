/* As nondet-add.c without the mutex.
 * Unsafe, breaks: both read 0, and the number or its opposite is left.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x, n;
static void *add(void *arg)
{
    x = x + n;
    return arg;
}
static void *sub(void *arg)
{
    x = x - n;
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
