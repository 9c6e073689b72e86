/* A readers-writer lock: w says that somebody writes, r counts the readers. One writer, one reader.
 *
 * Asserted: what a reader reads does not change while it holds the lock.
 * Safe: readers get in only while w == 0 and count themselves in the same step, a writer only while
 * w == 0 and r == 0; r does not wrap, because the largest value is excluded.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int w = 0;
static unsigned r = 0;
static int x = 0;

void __VERIFIER_atomic_take_write_lock(void)
{
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
}

void __VERIFIER_atomic_take_read_lock(void)
{
    __VERIFIER_assume(w == 0 && r != UINT_MAX);
    r = r + 1;
}

void __VERIFIER_atomic_release_read_lock(void)
{
    r = r - 1;
}

static void *writer(void *arg)
{
    __VERIFIER_atomic_take_write_lock();
    x = __VERIFIER_nondet_int();
    w = 0;
    return arg;
}

static void *reader(void *arg)
{
    int v;

    __VERIFIER_atomic_take_read_lock();
    v = x;
    assert(v == x);
    __VERIFIER_atomic_release_read_lock();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, writer, NULL);
    pthread_create(&t, NULL, reader, NULL);
    return 0;
}
