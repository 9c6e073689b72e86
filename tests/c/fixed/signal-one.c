/* A signal wakes one of two waiting threads. */
#include <assert.h>
#include <pthread.h>

int tokens, taken;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t some = PTHREAD_COND_INITIALIZER;

void *taker(void *a)
{
    pthread_mutex_lock(&m);
    while (tokens == 0)
        pthread_cond_wait(&some, &m);
    tokens--;
    taken++;
    assert(tokens >= 0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, taker, 0);
    pthread_create(&u, 0, taker, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        tokens++;
        pthread_cond_signal(&some);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(taken == 2);
    return 0;
}
