/* The semaphore begins with too much. */
#include <assert.h>
#include <pthread.h>

int free_places = 3, inside;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t left = PTHREAD_COND_INITIALIZER;

void *worker(void *a)
{
    pthread_mutex_lock(&m);
    while (free_places == 0)
        pthread_cond_wait(&left, &m);
    free_places--;
    inside++;
    assert(inside <= 2);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    inside--;
    free_places++;
    pthread_cond_signal(&left);
    pthread_mutex_unlock(&m);
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
    assert(inside == 0);
    return 0;
}
