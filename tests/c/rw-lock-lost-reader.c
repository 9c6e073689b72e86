/* rw-lock.c where readers count themselves out by r--, which is a read and a write.
 *
 * Asserted: what a reader reads does not change while it holds the lock.
 * Breaks (non-atomic decrement; main is the writer):
 *   A: enters, r = 1; leaves: reads r = 1     B: enters, r = 2     A: writes r = 0
 *   M: w == 0 and r == 0, w = 1     B: v = 0     M: x = 3     B: assert(0 == 3) fails
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int w = 0, r = 0;
static int x = 0;

static void *reader(void *arg)
{
    int v;

    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0);
    r = r + 1;
    __VERIFIER_atomic_end();
    v = x;
    assert(v == x);
    r--;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&t, NULL, reader, NULL);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
    __VERIFIER_atomic_end();
    x = 3;
    w = 0;
    return 0;
}
