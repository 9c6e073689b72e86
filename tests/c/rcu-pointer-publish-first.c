/* rcu-pointer.c where the new version is published before it is filled.
 *
 * Asserted: a reader sees a version whose parts belong together.
 * Breaks (wrong order): W: claims, current = &v1    R: v = &v1, a = 0, b = 9, assert fails
 */
#include <assert.h>
#include <pthread.h>

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
    if (__sync_lock_test_and_set(&claimed, 1) == 0) {
        current = &v1;
        v1.a = 5;
        v1.b = 5;
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
