/* Main leaves by pthread_exit and the worker goes on. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;

void *worker(void *a)
{
    while (!ready)
        ;
    assert(ready == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    ready = 1;
    pthread_exit(0);
}
