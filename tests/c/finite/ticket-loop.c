/* ticket-loop.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m;

    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(t != 3); /* no overflow */
        m = t;
        t = t + 1;
        __VERIFIER_atomic_end();
        while (s != m)
            ;
        assert(inside == 0);
        inside = 1;
        inside = 0;
        s = m + 1;
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
