/* A sequence lock: a writer makes the counter odd while it writes, a reader keeps what it read only
 * if the counter was even and has not changed.
 *
 * Asserted: a reader that keeps its two values sees a pair that belongs together.
 * Safe: while seq is even and unchanged, no writer has been between its two increments; the counter
 * does not wrap, because the last value is excluded.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t w = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint seq = 0;
static int x = 0, y = 0;

static void *writer(void *arg)
{
    int v = __VERIFIER_nondet_int();

    pthread_mutex_lock(&w);
    __VERIFIER_assume(seq < 0xfffffffe);
    seq++;
    x = v;
    y = v;
    seq++;
    pthread_mutex_unlock(&w);
    return arg;
}

static void *reader(void *arg)
{
    unsigned before;
    int a, b;

    before = seq;
    if (before % 2 != 0)
        return arg;
    a = x;
    b = y;
    if (seq == before)
        assert(a == b);
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
