/* Every thread has its own copy of a _Thread_local variable. */
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;

static void *thread(void *arg)
{
    assert(mine == 5);
    mine++;
    assert(mine == 6);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, thread, 0);
    return 0;
}
