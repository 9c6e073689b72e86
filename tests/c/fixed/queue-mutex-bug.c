/* The queue is read without looking whether it is empty. */
#include <assert.h>
#include <pthread.h>

int buffer[3], head, tail;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *a)
{
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        buffer[tail] = i;
        tail++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *reader(void *a)
{
    for (int i = 1; i <= 3;) {
        pthread_mutex_lock(&m);
        if (head <= tail) {
            assert(buffer[head] == i);
            head++;
            i++;
        }
        pthread_mutex_unlock(&m);
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
    assert(head == 3 && tail == 3);
    return 0;
}
