/* A ticket lock in one word, as Linux had it on x86: the ticket to be served in the low half, the next
 * one to be drawn in the high half.
 *
 * Asserted: mutual exclusion.
 * Unsafe: unlocking adds to both halves.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint word = 0;

static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void lock(void)
{
    unsigned old = atomic_fetch_add(&word, 1u << 16);
    unsigned mine = old >> 16;

    while ((atomic_load(&word) & 0xffff) > mine)
        ;
}

static void unlock(void)
{
    unsigned old, new;

    do {
        old = atomic_load(&word);
        new = ((old & 0xffff0000) + (1u << 17)) | ((old + 1) & 0xffff);
    } while (!atomic_compare_exchange_strong(&word, &old, new));
}

static void *thread(void *arg)
{
    for (;;) {
        lock();
        critical();
        unlock();
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
