/* The first thread to arrive counts in a shared and in a local variable at the same time.
 *
 * Asserted: the two counts are equal after each round.
 * Safe: only the thread that found `taken` unset gets to the loop, so nobody else changes s; both
 * counters start at 0 and wrap around together.
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static _Bool taken = 0;
static unsigned s = 0;

static void *thread(void *arg)
{
    unsigned l = 0;
    _Bool first;

    __VERIFIER_atomic_begin();
    first = !taken;
    taken = 1;
    __VERIFIER_atomic_end();
    if (!first)
        return arg;
again:
    s = s + 1;
    l = l + 1;
    assert(s == l);
    goto again;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
