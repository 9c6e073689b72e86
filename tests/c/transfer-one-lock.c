/* transfer.c where the lock of one account is released before that of the other is taken.
 *
 * Asserted: the sum of both stays the same.
 * Breaks (unlock too early): P: lock a, a = 90, unlock a    A: lock a, lock b, 90 + 50 != 150
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lb = PTHREAD_MUTEX_INITIALIZER;
static unsigned a = 100, b = 50;

static void *payer(void *arg)
{
    pthread_mutex_lock(&la);
    a -= 10;
    pthread_mutex_unlock(&la);
    pthread_mutex_lock(&lb);
    b += 10;
    pthread_mutex_unlock(&lb);
    return arg;
}

static void *audit(void *arg)
{
    pthread_mutex_lock(&la);
    pthread_mutex_lock(&lb);
    assert(a + b == 150);
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
