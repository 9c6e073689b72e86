/* A semaphore as a lock. */
#include <semaphore.h>
#include <assert.h>
#include <pthread.h>
static sem_t lock;
static int inside;
static void *run(void *unused)
{
    sem_wait(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    sem_post(&lock);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    sem_init(&lock, 0, 1);
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
