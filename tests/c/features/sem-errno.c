/* A semaphore that cannot be taken says why in errno, which each thread has for itself. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;

void *worker(void *argument)
{
    errno = 1;
    return argument;
}

int main(void)
{
    struct timespec now = { 0, 0 };
    pthread_t t;

    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    assert(sem_trywait(&s) == 0);
    errno = 0;
    assert(sem_trywait(&s) == -1);
    assert(errno == EAGAIN);
    assert(sem_timedwait(&s, &now) == -1);
    assert(errno == ETIMEDOUT);
    return 0;
}
