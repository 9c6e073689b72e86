/* ticket-lc.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static volatile unsigned s = 0, t = 0;
static int inside = 0;

unsigned __VERIFIER_atomic_draw(void)
{
    unsigned m = t;

    __VERIFIER_assume(m != 3); /* no overflow */
    t = m + 1;
    return m;
}

static void lock(void)
{
    unsigned m = s;

    __VERIFIER_assume(m != 3); /* no overflow */
    if (__sync_bool_compare_and_swap(&t, m, m + 1))
        return;
    m = __VERIFIER_atomic_draw();
    while (s != m)
        ;
}

static void *thread(void *arg)
{
    lock();
    assert(inside == 0);
    inside = 1;
    inside = 0;
    s = s + 1;
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
