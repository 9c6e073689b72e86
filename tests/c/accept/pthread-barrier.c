/* Nobody passes a barrier alone. */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int came;
static void *run(void *unused)
{
    __sync_fetch_and_add(&came, 1);
    pthread_barrier_wait(&barrier);
    assert(came == 2);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
