/* Read-copy-update of a configuration: a writer fills the version that is not published and then
 * publishes it; each version is written at most once before it is published.
 *
 * Asserted: a reader sees a version whose parts belong together.
 * Safe: the published pointer only ever changes from &v0 to &v1, after v1 was filled; only the
 * thread that took `claimed` fills v1, and published versions are not written any more.
 */
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
    int n = __VERIFIER_nondet_int();

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
