/* The skeleton of a character driver: open and close count the users, and the module is unregistered
 * when there is none. One of the three programs of the table that are wrong.
 *
 * Asserted: the use counter is zero when the device is unregistered.
 * Breaks: the counter is protected, but the decision to unregister is not.
 *   A: open (usecount = 1), close (usecount = 0), then tests usecount == 0 and goes to unregister
 *   B: open: registered holds, usecount = 1
 *   A: assert(usecount == 0) fails
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mod = PTHREAD_MUTEX_INITIALIZER;
static int usecount = 0;
static _Bool registered = 0;
static int ioctls = 0;

static int device_open(void)
{
    int ok = 0;

    pthread_mutex_lock(&mod);
    if (registered) {
        usecount++;
        ok = 1;
    }
    pthread_mutex_unlock(&mod);
    return ok;
}

static void device_close(void)
{
    pthread_mutex_lock(&mod);
    usecount--;
    pthread_mutex_unlock(&mod);
}

static void device_unregister(void)
{
    if (usecount == 0) {
        assert(usecount == 0);
        registered = 0;
    }
}

static void *user(void *arg)
{
    if (device_open()) {
        if (__VERIFIER_nondet_int())
            ioctls++;
        device_close();
    }
    device_unregister();
    return arg;
}

int main(void)
{
    pthread_t t;

    registered = 1;
    while (1)
        pthread_create(&t, NULL, user, NULL);
}
