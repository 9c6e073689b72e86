/* A ring buffer without locks, of one writer and one reader. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int ring[2];
atomic_uint head, tail;

void *writer(void *a)
{
    for (int i = 0; i < 4; i++) {
        while (tail - head == 2)
            ;
        ring[tail % 2] = i;
        tail++;
    }
    return 0;
}

void *reader(void *a)
{
    for (int i = 0; i < 4; i++) {
        while (head == tail)
            ;
        assert(ring[head % 2] == i);
        head++;
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(head == tail);
    return 0;
}
