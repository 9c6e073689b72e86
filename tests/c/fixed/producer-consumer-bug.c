/* The consumer does not look again after waking up. */
#include <assert.h>
#include <pthread.h>

int full, item;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *producer(void *a)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&changed, &m);
        item = i;
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *a)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        if (!full)
            pthread_cond_wait(&changed, &m);
        assert(item == i);
        full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, producer, 0);
    pthread_create(&t[1], 0, consumer, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(!full);
    return 0;
}
