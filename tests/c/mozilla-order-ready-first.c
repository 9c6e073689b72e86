/* mozilla-order.c before the fix: the script is announced before it is compiled.
 *
 * Asserted: the script is compiled when it is run.
 * Breaks (wrong order): main compiles.
 *   C: lock, ready = 1, unlock    R: lock, go = 1, unlock, assert(compiled == 1) fails
 */
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int compiled = 0, ready = 0;

static void *runner(void *arg)
{
    int go = 0;

    while (!go) {
        pthread_mutex_lock(&m);
        go = ready;
        pthread_mutex_unlock(&m);
    }
    if (!compiled) {
    ERROR:
        reach_error();
    }
    return arg;
}

int main(void)
{
    pthread_t r;

    pthread_create(&r, NULL, runner, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    compiled = 1;
    pthread_join(r, NULL);
    return 0;
}
