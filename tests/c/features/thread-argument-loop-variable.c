/* The address of a loop variable is passed to threads. */
#include <assert.h>
#include <pthread.h>

static void *thread(void *arg)
{
    int n = *(int *)arg;

    assert(n == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    int i;

    for (i = 0; i < 1; i++)
        pthread_create(&t, 0, thread, &i);
    pthread_join(t, 0);
    return 0;
}
