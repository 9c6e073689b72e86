/* A power-management event queue in the style of NetBSD's system monitor: drivers queue events, the
 * daemon sleeps while there is none.
 *
 * Asserted: the queue count stays in 0 .. QUEUE, and the daemon's read position holds an event.
 * Safe: head, tail and count change together under the mutex; a sleeper looks again when woken.
 */
#include <assert.h>
#include <pthread.h>

#define QUEUE 4

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum event_type { EV_NONE, EV_SWITCH, EV_ENVSYS };

static pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static unsigned char queue[QUEUE];
static unsigned head, tail, count;

static int queue_event(unsigned char type)
{
    if (count == QUEUE)
        return 0;
    queue[head] = type;
    head = (head + 1) % QUEUE;
    count++;
    assert(count <= QUEUE);
    return 1;
}

static void *driver(void *arg)
{
    unsigned char type = __VERIFIER_nondet_uchar() ? EV_SWITCH : EV_ENVSYS;

    pthread_mutex_lock(&mtx);
    if (queue_event(type))
        pthread_cond_broadcast(&cv);
    pthread_mutex_unlock(&mtx);
    return arg;
}

static void *daemon_read(void *arg)
{
    pthread_mutex_lock(&mtx);
    for (;;) {
        if (count != 0) {
            tail = (tail + 1) % QUEUE;
            count--;
            assert(count < QUEUE);
            break;
        }
        pthread_cond_wait(&cv, &mtx);
    }
    pthread_mutex_unlock(&mtx);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, NULL, driver, NULL);
        else
            pthread_create(&t, NULL, daemon_read, NULL);
    }
}
