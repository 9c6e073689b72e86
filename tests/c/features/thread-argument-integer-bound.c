/* An integer passed as the thread argument is out of range. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *thread(void *arg)
{
    int n = (int)(intptr_t)arg;

    assert(n < 1);
    return 0;
}

int main(void)
{
    pthread_t t;

    for (int n = 0; n <= 1; n++)
        pthread_create(&t, 0, thread, (void *)(intptr_t)n);
    return 0;
}
