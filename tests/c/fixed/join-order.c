/* Threads one after the other, joined in between. */
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *a)
{
    int old = x;
    x = old + 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(u, 0);
    assert(x >= 1);
    assert(x == 2);
    return 0;
}
