/* The same with shared data. */
#include <assert.h>
#include <pthread.h>

static int own;

void *worker(void *a)
{
    own = (long)a;
    assert(own == (long)a);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, (void *)1);
    pthread_create(&t[1], 0, worker, (void *)2);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(own == 0);
    return 0;
}
