// refused: `pthread_cancel` at line 18
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    pthread_cancel(t);
    assert(x <= 1);
    return 0;
}
