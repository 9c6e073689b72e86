/* Transfers between three accounts keep the sum. */
#include <assert.h>
#include <pthread.h>

int account[3] = {10, 10, 10};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void transfer(int from, int to)
{
    pthread_mutex_lock(&m);
    account[from]--;
    ;
    account[to]++;
    pthread_mutex_unlock(&m);
}

void *left(void *a)
{
    transfer(0, 1);
    transfer(1, 2);
    return 0;
}

void *right(void *a)
{
    transfer(2, 0);
    return 0;
}

void *auditor(void *a)
{
    pthread_mutex_lock(&m);
    int sum = account[0] + account[1] + account[2];
    pthread_mutex_unlock(&m);
    assert(sum == 30);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, left, 0);
    pthread_create(&t[1], 0, right, 0);
    pthread_create(&t[2], 0, auditor, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(account[0] + account[1] + account[2] == 30);
    return 0;
}
