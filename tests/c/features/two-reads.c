/* Two reads of a shared variable in one expression may differ. */
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
    assert(x - x == 0);
    return 0;
}
