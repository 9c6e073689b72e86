/* rw-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    __VERIFIER_assume(w == 0 && r != 3);
    r = r + 1;
}

void __VERIFIER_atomic_release_read_lock(void)
{
    r = r - 1;
}

static void *writer(void *arg)
{
    __VERIFIER_atomic_take_write_lock();
    x = (__VERIFIER_nondet_int() & 1);
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
