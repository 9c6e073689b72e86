/* A barrier that counts, of two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int arrived;
int x, y;

void *left(void *a)
{
    x = 1;
    arrived++;
    while (arrived < 2)
        ;
    assert(y == 1);
    return 0;
}

void *right(void *a)
{
    y = 1;
    arrived++;
    while (arrived < 2)
        ;
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, left, 0);
    pthread_create(&t[1], 0, right, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
    return 0;
}
