/* Pthread_exit in a function that the thread calls. */
#include <assert.h>
#include <pthread.h>

int x;

void leave(int v)
{
    x = v;
    pthread_exit((void *)7);
}

void *worker(void *a)
{
    leave(5);
    x = 6;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 5);
    return 0;
}
