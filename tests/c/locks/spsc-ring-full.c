/* A ring for one producer and one consumer (after Linux's kfifo and ck_ring): two numbers that only
 * grow, modulo 2^32.
 *
 * Asserted: what comes out is what was put in, in that order.
 * Unsafe: the producer does not see that the ring is full.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static atomic_uint head = 0, tail = 0;
static atomic_uint ring[SIZE];

static void *producer(void *arg)
{
    unsigned value = 0;

    for (;;) {
        unsigned at = atomic_load_explicit(&head, memory_order_relaxed);

        if (at - atomic_load(&tail) == SIZE + 1)
            continue;
        atomic_store(&ring[at % SIZE], value);
        atomic_store(&head, at + 1);
        value++;
    }
    return arg;
}

static void *consumer(void *arg)
{
    unsigned expected = 0;

    for (;;) {
        unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);

        if (at == atomic_load(&head))
            continue;
        assert(atomic_load(&ring[at % SIZE]) == expected);
        atomic_store(&tail, at + 1);
        expected++;
    }
    return arg;
}

int main(void)
{
    pthread_t id;

    pthread_create(&id, NULL, producer, NULL);
    pthread_create(&id, NULL, consumer, NULL);
    return 0;
}
