/* The order in which a browser compiles and runs a script, after the fix of a vulnerability: one
 * thread compiles, the other runs. Two threads.
 *
 * Asserted: the script is compiled when it is run.
 * Safe: `ready` is set under the lock after `compiled`, and the runner goes on only when it has seen
 * ready under the lock.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int compiled = 0, ready = 0, running = 0;

static void *compiler(void *arg)
{
    compiled = 1;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *runner(void *arg)
{
    int go = 0;

    while (!go) {
        pthread_mutex_lock(&m);
        go = ready;
        pthread_mutex_unlock(&m);
    }
    running = 1;
    assert(compiled == 1);
    return arg;
}

int main(void)
{
    pthread_t c, r;

    pthread_create(&c, NULL, compiler, NULL);
    pthread_create(&r, NULL, runner, NULL);
    pthread_join(c, NULL);
    pthread_join(r, NULL);
    return 0;
}
