/* A flag instead of pthread_once. */
#include <assert.h>
#include <pthread.h>

int x;
int is_done;
pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void)
{
    x = x + 1;
}

void *worker(void *a)
{
    if (!is_done) {
        is_done = 1;
        initialise();
    } else {
        assert(x == 1);
    }
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_create(&t[2], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(x == 1);
    return 0;
}
