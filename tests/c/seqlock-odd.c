/* seqlock.c where a reader does not look whether a writer is at work when it begins.
 *
 * Asserted: a reader that keeps its two values sees a pair that belongs together.
 * Breaks (missing check): W: seq = 1, x = 5    R: before = 1, a = 5, b = 0, seq == 1, assert fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t w = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint seq = 0;
static int x = 0, y = 0;

static void *writer(void *arg)
{
    pthread_mutex_lock(&w);
    seq++;
    x = 5;
    y = 5;
    seq++;
    pthread_mutex_unlock(&w);
    return arg;
}

static void *reader(void *arg)
{
    unsigned before = seq;
    int a = x;
    int b = y;

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
