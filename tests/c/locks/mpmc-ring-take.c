/* A bounded ring for many producers and consumers with a sequence number in each cell (after D.
 * Vyukov).
 *
 * Asserted: a cell is written only when it is empty and read only when it is full.
 * Unsafe: two producers may have the same position.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static atomic_uint sequence[SIZE] = { 0, 1 };
static int full[SIZE];
static atomic_uint head = 0, tail = 0;

static void *producer(void *arg)
{
    unsigned at = atomic_load(&head);

    for (;;) {
        unsigned seen = atomic_load(&sequence[at % SIZE]);

        if (seen == at) {
            atomic_store(&head, at + 1);
            break;
        } else if ((int)(seen - at) < 0) {
            return arg; /* full */
        } else {
            at = atomic_load(&head);
        }
    }
    assert(!full[at % SIZE]);
    full[at % SIZE] = 1;
    atomic_store(&sequence[at % SIZE], at + 1);
    return arg;
}

static void *consumer(void *arg)
{
    unsigned at = atomic_load(&tail);

    for (;;) {
        unsigned seen = atomic_load(&sequence[at % SIZE]);

        if (seen == at + 1) {
            if (atomic_compare_exchange_strong(&tail, &at, at + 1))
                break;
        } else if ((int)(seen - (at + 1)) < 0) {
            return arg; /* empty */
        } else {
            at = atomic_load(&tail);
        }
    }
    assert(full[at % SIZE]);
    full[at % SIZE] = 0;
    atomic_store(&sequence[at % SIZE], at + SIZE);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1) {
        pthread_create(&id, NULL, producer, NULL);
        pthread_create(&id, NULL, consumer, NULL);
    }
}
