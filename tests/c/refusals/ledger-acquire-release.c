// ledger: an acquire order, treated as sequentially consistent at line 19
#include <assert.h>
#include <pthread.h>

static int x, flag;

static void *thread(void *arg)
{
    x = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        assert(x == 1);
    return 0;
}
