/* Two threads with a flag each use x only if the flag of the other is down.
 * Safe: x is what the thread wrote.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static _Atomic _Bool f0, f1;
static int x, v;
static void *a(void *arg)
{
    f0 = 1;
    if (!f1) {
        x = v;
        assert(x == v);
        f0 = 0;
    }
    return arg;
}
static void *b(void *arg)
{
    f1 = 1;
    if (!f0) {
        x = v + 1;
        assert(x == v + 1);
        f1 = 0;
    }
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    v = __VERIFIER_nondet_int();
    pthread_create(&t0, 0, a, 0);
    pthread_create(&t1, 0, b, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
