/* rw-lock-any.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    x = (__VERIFIER_nondet_int() & 1);
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
