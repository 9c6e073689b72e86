/* The value is read before the barrier. */
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int x;

void *writer(void *a)
{
    x = 1;
    pthread_barrier_wait(&barrier);
    return 0;
}

void *reader(void *a)
{
    assert(x == 1);
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
    return 0;
}
