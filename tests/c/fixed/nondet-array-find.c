/* Two threads look for a key in the halves of an arbitrary array that has it.
 * Safe: one of them finds it.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static int a[6], key;
static _Atomic int found;
static void *left(void *arg)
{
    for (int i = 0; i < 3; i++)
        if (a[i] == key)
            found = 1;
    return arg;
}
static void *right(void *arg)
{
    for (int i = 3; i < 6; i++)
        if (a[i] == key)
            found = 1;
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    key = __VERIFIER_nondet_int();
    for (int i = 0; i < 6; i++)
        a[i] = __VERIFIER_nondet_int();
    unsigned k = __VERIFIER_nondet_uint();
    __VERIFIER_assume(k < 6);
    a[k] = key;
    pthread_create(&t0, 0, left, 0);
    pthread_create(&t1, 0, right, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(found);
    return 0;
}
