/* unverex.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    s = (s + 1) & 7;
    l = (l + 1) & 7;
    assert(s == l);
    goto again;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
