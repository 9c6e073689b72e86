/* A detached thread that nobody waits for. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
int x;

void *worker(void *a)
{
    x = 1;
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    ;
    assert(x == 1);
    return 0;
}
