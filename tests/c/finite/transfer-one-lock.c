/* transfer-one-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lb = PTHREAD_MUTEX_INITIALIZER;
static unsigned a = 4, b = 2;

static void *payer(void *arg)
{
    pthread_mutex_lock(&la);
    a = (a - 1) & 7;
    pthread_mutex_unlock(&la);
    pthread_mutex_lock(&lb);
    b = (b + 1) & 7;
    pthread_mutex_unlock(&lb);
    return arg;
}

static void *audit(void *arg)
{
    pthread_mutex_lock(&la);
    pthread_mutex_lock(&lb);
    assert(((a + b) & 7) == 6);
    pthread_mutex_unlock(&lb);
    pthread_mutex_unlock(&la);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, payer, NULL);
        pthread_create(&t, NULL, audit, NULL);
    }
}
