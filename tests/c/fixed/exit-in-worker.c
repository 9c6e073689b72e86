/* A worker ends the program before anything is wrong. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int stop;

void *worker(void *a)
{
    exit(0);
    stop = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(!stop);
    return 0;
}
