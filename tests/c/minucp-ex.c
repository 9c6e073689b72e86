/* Three atomic steps on a variable with four values; each thread can only go through all of them
 * while the others wait.
 *
 * Asserted: s never becomes 2.
 * Safe: s is 0 or 3; it is 3 exactly while one thread is behind the first step, and that thread turns
 * 3 into (3 + 1) mod 4 == 0.
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned s = 0;

/* if (s == from) s = to, in one step */
_Bool __VERIFIER_atomic_step(unsigned from, unsigned to)
{
    if (s != from)
        return 0;
    s = to;
    return 1;
}

static void *thread(void *arg)
{
    while (1) {
        while (!__VERIFIER_atomic_step(0, 3))
            ;
        while (!__VERIFIER_atomic_step(3, 3))
            ;
        __VERIFIER_atomic_begin();
        if (s != 2)
            s = (s + 1) % 4;
        assert(s != 2);
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
