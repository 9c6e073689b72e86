/* ticket-lc-backoff.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static volatile unsigned next_ticket = 0;
static volatile unsigned now_serving = 0;
static int in = 0;

unsigned __VERIFIER_atomic_fetch_and_increment(void)
{
    unsigned value = next_ticket;

    __VERIFIER_assume(value != 3); /* no overflow */
    next_ticket = value + 1;
    return value;
}

static void pause(unsigned units)
{
    while (units > 0)
        units--;
}

static void acquire_lock(void)
{
    unsigned my_ticket = __VERIFIER_atomic_fetch_and_increment();

    while (1) {
        pause(my_ticket - now_serving);
        if (now_serving == my_ticket)
            break;
    }
}

static void release_lock(void)
{
    now_serving = now_serving + 1;
}

static void *thread(void *arg)
{
    acquire_lock();
    in++;
    assert(in == 1);
    in--;
    release_lock();
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
