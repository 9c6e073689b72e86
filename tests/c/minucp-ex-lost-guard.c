/* minucp-ex.c where the first step is a test and a store: several threads get through.
 *
 * Asserted: s never becomes 2.
 * Breaks (check, then act): A, B, C: s == 0; all store s = 3
 *   A: (3 + 1) % 4 == 0    B: s = 1    C: s = 2, assert fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned s = 0;

static void *thread(void *arg)
{
    while (s != 0)
        ;
    s = 3;
    __VERIFIER_atomic_begin();
    s = (s + 1) % 4;
    assert(s != 2);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, thread, NULL);
    thread(NULL);
    return 0;
}
