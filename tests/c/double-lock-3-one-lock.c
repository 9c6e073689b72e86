/* double-lock-3.c where the writer takes only one of the two locks.
 *
 * Asserted: a reader that reads twice under one lock sees the same value.
 * Breaks (missing lock): R: lock b, v = 0    W: lock a, x = 1    R: assert(0 == 1) fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x = 0;

static void *reader(void *arg)
{
    pthread_mutex_t *m = __VERIFIER_nondet_int() ? &a : &b;
    int v;

    pthread_mutex_lock(m);
    v = x;
    assert(v == x);
    pthread_mutex_unlock(m);
    return arg;
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&a);
    x = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, reader, NULL);
        pthread_create(&t, NULL, writer, NULL);
    }
}
