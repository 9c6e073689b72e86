/* The driver skeleton of boop.c done right, with a bound on the number of users.
 *
 * Asserted: the use counter is zero when the device is unregistered, and the device is registered
 * while somebody has it open.
 * Safe: usecount is the number of threads between open and close (at most MAX_USERS, so it does not
 * wrap), and registered is reset only under the lock while usecount == 0; opening tests it under
 * the same lock.
 */
#include <assert.h>
#include <pthread.h>

#define MAX_USERS 2

static pthread_mutex_t mod = PTHREAD_MUTEX_INITIALIZER;
static int usecount = 0;
static _Bool registered = 1;

static int device_open(void)
{
    int ok = 0;

    pthread_mutex_lock(&mod);
    if (registered && usecount < MAX_USERS) {
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
    pthread_mutex_lock(&mod);
    if (usecount == 0) {
        registered = 0;
        assert(usecount == 0);
    }
    pthread_mutex_unlock(&mod);
}

static void *user(void *arg)
{
    if (device_open()) {
        assert(registered); /* an ioctl */
        device_close();
    }
    device_unregister();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, user, NULL);
}
