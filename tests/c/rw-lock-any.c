/* The readers-writer lock of rw-lock.c for any number of threads, at most two of them reading.
 *
 * Asserted: what a reader reads does not change while it holds the lock.
 * Safe: r is exactly the number of threads between taking and releasing the read lock (0, 1 or 2),
 * so no writer gets in while there is one.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int w = 0, r = 0;
static int x = 0;

static void *writer(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
    __VERIFIER_atomic_end();
    x = __VERIFIER_nondet_int();
    w = 0;
    return arg;
}

static void *reader(void *arg)
{
    int v;

    __VERIFIER_atomic_begin();
    __VERIFIER_assume(w == 0 && r < 2);
    r = r + 1;
    __VERIFIER_atomic_end();
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
