/* Two variables that are changed in the same way under a condition read from a third.
 *
 * Asserted: the two locals are equal, whatever the condition was.
 * Safe: `on` is read once, under the lock, and both locals take the same branch.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int on = 0;

static void *thread(void *arg)
{
    int c, x = 0, y = 0;

    pthread_mutex_lock(&m);
    c = on;
    pthread_mutex_unlock(&m);
    if (c)
        x = 1;
    else
        x = 2;
    if (c)
        y = 1;
    else
        y = 2;
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
