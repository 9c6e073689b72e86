/* The ticket lock with tickets of one bit: the wrap-around of ticket-wrap.c with three threads.
 *
 * Asserted: mutual exclusion.
 * Breaks (wrap-around): A draws 0 and is inside; B draws 1; main draws 0 again, sees s == 0 and
 * asserts inside == 0 while A is inside.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned char s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned char m;

    __VERIFIER_atomic_begin();
    m = t;
    t = (t + 1) & 1;
    __VERIFIER_atomic_end();
    while (s != m)
        ;
    assert(inside == 0);
    inside = 1;
    inside = 0;
    s = (m + 1) & 1;
    return arg;
}

int main(void)
{
    pthread_t id;

    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, thread, NULL);
    thread(NULL);
    return 0;
}
