/* ticket-hc-backoff.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile unsigned next_ticket = 0;
static volatile unsigned now_serving = 0;
static int in = 0;

static unsigned fetch_and_increment_next_ticket(void)
{
    unsigned value;

    __VERIFIER_atomic_begin();
    __VERIFIER_assume(next_ticket != 3); /* no overflow */
    value = next_ticket;
    next_ticket++;
    __VERIFIER_atomic_end();
    return value;
}

static void pause(unsigned units)
{
    unsigned i;

    for (i = 0; i < units; i++)
        ;
}

static void acquire_lock(void)
{
    unsigned my_ticket = fetch_and_increment_next_ticket();

    while (1) {
        pause(my_ticket - now_serving);
        if (now_serving == my_ticket)
            break;
    }
}

static void release_lock(void)
{
    now_serving++;
}

static void *thread(void *arg)
{
    while (1) {
        acquire_lock();
        in++;
        assert(in == 1);
        in--;
        release_lock();
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
