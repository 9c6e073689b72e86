/* A lock that any number of threads use. It looks right, and it is wrong: between looking at the lock and
 * taking it, another thread may take it, too.
 *
 *   throng check lock.c             shows how
 *   throng check lock.c -DMENDED    proves that it cannot happen any more, however many threads there are
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;  /* 1 while somebody has the lock */
static int inside;        /* how many threads are in the critical section */

static void lock(void)
{
#ifdef MENDED
    while (atomic_exchange(&taken, 1) == 1)
        ; /* looking and taking are one step */
#else
    while (taken == 1)
        ;
    taken = 1; /* too late: somebody else may have seen the 0, too */
#endif
}

static void unlock(void)
{
    taken = 0;
}

static void *worker(void *argument)
{
    lock();
    assert(inside == 0); /* nobody else is here */
    inside = 1;
    inside = 0;
    unlock();
    return argument;
}

int main(void)
{
    while (1) { /* any number of threads */
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
    }
}
