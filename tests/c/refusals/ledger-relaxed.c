// ledger: a relaxed memory order, treated as sequentially consistent at line 10
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    if (atomic_load_explicit(&y, memory_order_relaxed) == 1)
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    return 0;
}
