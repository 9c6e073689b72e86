/* Atomic increments of all vocabularies. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int y, z;

static void *thread(void *arg)
{
    x++; /* atomic, because x is */
    __sync_fetch_and_add(&y, 1);
    __atomic_add_fetch(&z, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    assert(x == 2 && y == 2 && z == 2);
    return 0;
}
