/* A lock by compare and exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int inside;

void *worker(void *a)
{
    for (int free = 0; !atomic_compare_exchange_strong(&lock, &free, 1); free = 0)
        ;
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
