/* The readers-writer lock of the library.
 *
 * Asserted: the two halves of the pair are equal for readers.
 * Safe: the halves differ only inside a write lock, which excludes readers.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct {
    int left, right;
} pair;

static void *writer(void *arg)
{
    int v = __VERIFIER_nondet_int();

    pthread_rwlock_wrlock(&rw);
    pair.left = v;
    pair.right = v;
    pthread_rwlock_unlock(&rw);
    return arg;
}

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&rw);
    assert(pair.left == pair.right);
    pthread_rwlock_unlock(&rw);
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
