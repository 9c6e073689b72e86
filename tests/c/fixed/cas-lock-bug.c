/* A lock that is tested and then set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int inside;

void *worker(void *a)
{
    while (lock)
        ;
    lock = 1;
    inside++;
    assert(inside == 1);
    inside--;
    lock = 0;
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_create(&t[2], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
    return 0;
}
