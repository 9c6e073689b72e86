/* rcu-pointer.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct version {
    int a, b;
};

static struct version v0 = {1, 1}, v1 = {0, 9};
static struct version *current = &v0;
static int claimed = 0;

static void *reader(void *arg)
{
    struct version *v = current;
    int a = v->a;
    int b = v->b;

    assert(a == b);
    return arg;
}

static void *writer(void *arg)
{
    int n = (__VERIFIER_nondet_int() & 1);

    if (__sync_lock_test_and_set(&claimed, 1) == 0) {
        v1.a = n;
        v1.b = n;
        current = &v1;
    }
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
