/* boop.c the other way round: unregistering is done under the lock, the counting is not.
 *
 * Asserted: the device is registered while somebody has it open.
 * Breaks by a lost update of usecount:
 *   A: usecount++ reads 0      B: usecount++ reads 0, writes 1      A: writes 1
 *   B: usecount-- (now 0), unregister: lock, usecount == 0, registered = 0, unlock
 *   A: assert(registered) fails in its ioctl
 * or, simpler (check, then act):
 *   A: registered holds    B: opens, closes, unregisters    A: usecount = 1, assert(registered) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mod = PTHREAD_MUTEX_INITIALIZER;
static int usecount = 0;
static _Bool registered = 1;

static void *user(void *arg)
{
    if (registered) {
        usecount++;
        assert(registered); /* an ioctl */
        usecount--;
    }
    pthread_mutex_lock(&mod);
    if (usecount == 0)
        registered = 0;
    pthread_mutex_unlock(&mod);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, user, NULL);
}
