/* The same counters, with a bound that they reach. */
#include <assert.h>
#include <pthread.h>

int i = 3, j = 6;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *left(void *a)
{
    for (int k = 0; k < 4; k++) {
        pthread_mutex_lock(&m);
        i = j + 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *right(void *a)
{
    for (int k = 0; k < 4; k++) {
        pthread_mutex_lock(&m);
        j = i + 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, left, 0);
    pthread_create(&t[1], 0, right, 0);
    pthread_mutex_lock(&m);
    assert(i < 14 && j < 14);
    pthread_mutex_unlock(&m);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
    return 0;
}
