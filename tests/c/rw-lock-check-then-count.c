/* rw-lock.c where a reader looks for writers and counts itself in two steps.
 *
 * Asserted: what a reader reads does not change while it holds the lock.
 * Breaks (check, then act):
 *   R: w == 0     W: w == 0 and r == 0, w = 1
 *   R: r = 1, v = 0     W: x = 3     R: assert(0 == 3) fails
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int w = 0;
static unsigned r = 0;
static int x = 0;

static void *writer(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
    __VERIFIER_atomic_end();
    x = 3;
    w = 0;
    return arg;
}

static void *reader(void *arg)
{
    int v;

    while (w != 0)
        ;
    __sync_fetch_and_add(&r, 1);
    v = x;
    assert(v == x);
    __sync_fetch_and_sub(&r, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, writer, NULL);
        pthread_create(&t, NULL, reader, NULL);
    }
}
