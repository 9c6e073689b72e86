/* ticket.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static struct spinlock {
    unsigned s; /* ticket being served */
    unsigned t; /* next free ticket */
} lock = {0, 0};
static int inside = 0;

unsigned __VERIFIER_atomic_take_ticket(void)
{
    unsigned m = lock.t;

    __VERIFIER_assume(m != 3); /* no overflow */
    lock.t = m + 1;
    return m;
}

static void spin_lock(void)
{
    unsigned m = __VERIFIER_atomic_take_ticket();

    while (lock.s != m)
        ;
}

static void spin_unlock(void)
{
    lock.s++; /* only the owner writes it */
}

static void *thread(void *arg)
{
    spin_lock();
    assert(inside == 0);
    inside = 1;
    inside = 0;
    spin_unlock();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
