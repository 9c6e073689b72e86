/* A reference count that does not come back from zero (after Linux's refcount_inc_not_zero, as in
 * kref_get_unless_zero).
 *
 * Asserted: nobody who has a reference finds the object freed, and it is freed once.
 * Safe: the count is the number of references, and only the last one frees.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint count = 1;
static int freed = 0;

static int get(void)
{
    unsigned old = atomic_load(&count);

    do {
        if (old == 0)
            return 0;
    } while (!atomic_compare_exchange_strong(&count, &old, old + 1));
    return 1;
}

static void put(void)
{
    if (atomic_fetch_sub(&count, 1) == 1) {
        assert(!freed);
        freed = 1;
    }
}

static void *thread(void *arg)
{
    if (get()) {
        assert(!freed);
        put();
    }
    return arg;
}

static void *owner(void *arg)
{
    put();
    return arg;
}

int main(void)
{
    pthread_t id;

    pthread_create(&id, NULL, owner, NULL);
    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
