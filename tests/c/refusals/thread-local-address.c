// refused: a `_Thread_local` variable whose address other threads can see at line 5
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine;
static int *theirs;

static void *thread(void *arg)
{
    theirs = &mine;
    *theirs = 1;
    assert(*theirs == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, thread, 0);
}
