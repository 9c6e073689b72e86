/* An integer passed as the thread argument. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static void *thread(void *arg)
{
    int n = (int)(intptr_t)arg;

    assert(n >= 0 && n < 10);
    return 0;
}

int main(void)
{
    pthread_t t;

    while (1) {
        int n = __VERIFIER_nondet_int();

        __VERIFIER_assume(n >= 0 && n < 10);
        pthread_create(&t, 0, thread, (void *)(intptr_t)n);
    }
    return 0;
}
