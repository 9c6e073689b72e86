/* The worker sees what main has not written yet. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;

void *worker(void *a)
{
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
