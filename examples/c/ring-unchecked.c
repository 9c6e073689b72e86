/* A ring of four numbers for any number of threads: there is no main, `--threads-run push,pop` runs both functions.
 * `push` tests whether there is room before it takes the lock: two threads that see the last free place both push,
 * and the number of entries passes what the ring holds. */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[SIZE];
static unsigned entries;

int push(int value)
{
    if (entries == SIZE)
        return 0;
    pthread_mutex_lock(&lock);
    ring[entries] = value;
    entries++;
    pthread_mutex_unlock(&lock);
    return 1;
}

int pop(void)
{
    int value = 0;

    pthread_mutex_lock(&lock);
    if (entries > 0) {
        entries--;
        value = ring[entries];
    }
    pthread_mutex_unlock(&lock);
    return value;
}
