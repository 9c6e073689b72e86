/* rw-lock-pthread.c where the writer takes the lock for reading.
 *
 * Asserted: the two halves of the pair are equal for readers.
 * Breaks (wrong function): W: rdlock, left = 1    R: rdlock, assert(1 == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct {
    int left, right;
} pair;

static void *writer(void *arg)
{
    pthread_rwlock_rdlock(&rw);
    pair.left = 1;
    pair.right = 1;
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
