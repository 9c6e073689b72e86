/* The largest value of a race of two Fibonacci steps, three each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

void *left(void *a)
{
    for (int k = 0; k < 3; k++)
        i += j;
    return 0;
}

void *right(void *a)
{
    for (int k = 0; k < 3; k++)
        j += i;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, left, 0);
    pthread_create(&t[1], 0, right, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(i <= 21 && j <= 21);
    return 0;
}
