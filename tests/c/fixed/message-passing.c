/* Data and a flag, written in this order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *sender(void *a)
{
    data = 42;
    flag = 1;
    return 0;
}

void *receiver(void *a)
{
    if (flag)
        assert(data == 42);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, sender, 0);
    pthread_create(&t[1], 0, receiver, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
    return 0;
}
