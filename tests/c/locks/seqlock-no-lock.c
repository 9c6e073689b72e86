/* A sequence lock (after Linux's seqlock_t and ck_sequence): writers make the number odd while they
 * write, readers try again if it was odd or has changed.
 *
 * Asserted: a reader that does not try again has read two equal numbers.
 * Unsafe: writers do not exclude each other.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence = 0;
static atomic_int a = 0, b = 0;
extern int __VERIFIER_nondet_int(void);

static void *writer(void *arg)
{
    unsigned old;
    int v = __VERIFIER_nondet_int();

    do
        old = atomic_load(&sequence) & ~1u;
    while (0);
    atomic_store(&sequence, old + 1);
    atomic_store(&a, v);
    atomic_store(&b, v);
    atomic_store(&sequence, old + 2);
    return arg;
}

static void *reader(void *arg)
{
    unsigned old;
    int x, y;

    do {
        do
            old = atomic_load(&sequence);
        while (old & 1);
        x = atomic_load(&a);
        y = atomic_load(&b);
    } while (atomic_load(&sequence) != old);
    assert(x == y);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1) {
        pthread_create(&id, NULL, reader, NULL);
        pthread_create(&id, NULL, writer, NULL);
    }
}
