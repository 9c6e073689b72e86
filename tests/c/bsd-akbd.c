/* A keyboard driver in the style of the BSDs: readers sleep until the interrupt routine has put a
 * key into the buffer and woken all of them.
 *
 * Asserted: a reader that goes on finds a key, and only one routine is in the buffer at a time.
 * Safe: `buffers` changes only under sc_mutex, stays in 0 .. KEYS, and each woken reader looks
 * again (while) before it takes a key. `inside` is set and reset under the mutex.
 */
#include <assert.h>
#include <pthread.h>

#define KEYS 3

extern int __VERIFIER_nondet_int(void);

struct softc {
    pthread_mutex_t mutex;
    pthread_cond_t cv;
    int buffer[KEYS];
    int buffers;
};

static struct softc sc = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0};
static int inside = 0;

static void *read_key(void *arg)
{
    int i, key;

    pthread_mutex_lock(&sc.mutex);
    while (sc.buffers == 0)
        pthread_cond_wait(&sc.cv, &sc.mutex);
    assert(!inside);
    inside = 1;
    assert(sc.buffers > 0);
    key = sc.buffer[0];
    for (i = 1; i < sc.buffers; i++)
        sc.buffer[i - 1] = sc.buffer[i];
    sc.buffers--;
    inside = 0;
    pthread_mutex_unlock(&sc.mutex);
    (void)key;
    return arg;
}

static void *interrupt(void *arg)
{
    int key = __VERIFIER_nondet_int();

    pthread_mutex_lock(&sc.mutex);
    assert(!inside);
    inside = 1;
    if (sc.buffers < KEYS) {
        sc.buffer[sc.buffers] = key;
        sc.buffers++;
    }
    inside = 0;
    pthread_mutex_unlock(&sc.mutex);
    pthread_cond_broadcast(&sc.cv);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, NULL, read_key, NULL);
        else
            pthread_create(&t, NULL, interrupt, NULL);
    }
}
