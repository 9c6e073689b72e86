/* Two threads increment a counter that is not atomic. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x;

void *worker(void *a)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == 2);
    return 0;
}
