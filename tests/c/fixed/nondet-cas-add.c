/* Three threads add an arbitrary number by compare and swap.
 * Safe: all three were added; additions wrap.
 */
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned x, n;
static void *add(void *arg)
{
    unsigned old;
    do {
        old = x;
    } while (!__sync_bool_compare_and_swap(&x, old, old + n));
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    pthread_t t2;
    n = __VERIFIER_nondet_uint();
    pthread_create(&t0, 0, add, 0);
    pthread_create(&t1, 0, add, 0);
    pthread_create(&t2, 0, add, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 3 * n);
    return 0;
}
