/* A thread writes an arbitrary number but 0 and sets a flag.
 * Safe: who sees the flag sees no 0.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int data;
static _Atomic int ready;
static void *writer(void *arg)
{
    data = __VERIFIER_nondet_int();
    __VERIFIER_assume(data != 0);
    ready = 1;
    return arg;
}
static void *reader(void *arg)
{
    if (ready)
        assert(data != 0);
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    pthread_create(&t0, 0, writer, 0);
    pthread_create(&t1, 0, reader, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
