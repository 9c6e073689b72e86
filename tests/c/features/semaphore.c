// A semaphore of zero blocks until it is posted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int value;

void *producer(void *unused) {
    value = 7;
    sem_post(&ready);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, producer, 0);
    sem_wait(&ready);
    assert(value == 7);
    return 0;
}
