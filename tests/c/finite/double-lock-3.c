/* double-lock-3.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x = 0;

static void *reader(void *arg)
{
    pthread_mutex_t *m = (__VERIFIER_nondet_int() & 1) ? &a : &b;
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
    x = (__VERIFIER_nondet_int() & 1);
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
