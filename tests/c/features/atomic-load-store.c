/* An atomic load followed by an atomic store is not an atomic increment. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *arg)
{
    atomic_store(&x, atomic_load(&x) + 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    assert(atomic_load(&x) == 2);
    return 0;
}
