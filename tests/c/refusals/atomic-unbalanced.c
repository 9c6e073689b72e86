// refused: an atomic section that is not closed on every path at line 16
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

static int x;

static void *thread(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    if (__VERIFIER_nondet_int())
        return arg;
    __VERIFIER_atomic_end();
    assert(x == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, thread, 0);
}
