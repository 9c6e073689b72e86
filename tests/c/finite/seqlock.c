/* seqlock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
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
    int v = (__VERIFIER_nondet_int() & 1);

    pthread_mutex_lock(&w);
    __VERIFIER_assume(seq < 4);
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
