/* Two threads add 2 three times to an arbitrary odd number.
 * Safe: it is odd in the end; additions wrap.
 */
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static _Atomic unsigned x;
static void *even(void *arg)
{
    for (int i = 0; i < 3; i++)
        x += 2;
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    unsigned s = __VERIFIER_nondet_uint();
    __VERIFIER_assume(s % 2 == 1);
    x = s;
    pthread_create(&t0, 0, even, 0);
    pthread_create(&t1, 0, even, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(x % 2 == 1);
    return 0;
}
