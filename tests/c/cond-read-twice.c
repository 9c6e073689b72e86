/* cond.c where the condition is read from the shared variable twice.
 *
 * Asserted: the two locals are equal, whatever the condition was.
 * Breaks (missing lock): A: on is 0, x = 2    B: on = 1    A: on is 1, y = 1, assert(2 == 1) fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int on = 0;

static void *thread(void *arg)
{
    int x = on ? 1 : 2;
    int y = on ? 1 : 2;

    assert(x == y);
    return arg;
}

static void *toggle(void *arg)
{
    pthread_mutex_lock(&m);
    on = !on;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, NULL, thread, NULL);
        else
            pthread_create(&t, NULL, toggle, NULL);
    }
}
