// refused: a local variable of one of unboundedly many threads whose address comes into a global at line 9
#include <assert.h>
#include <pthread.h>

static int *shared;

static void *thread(void *arg)
{
    int local = 0;

    shared = &local;
    *shared = 1;
    assert(local == 0 || local == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, thread, 0);
}
