/* A variable that may be read under either of two locks, but written only under both.
 *
 * Asserted: a reader that reads twice under one lock sees the same value.
 * Safe: a writer holds both locks, so it is kept out by either.
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
    pthread_mutex_lock(&b);
    x = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&b);
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
