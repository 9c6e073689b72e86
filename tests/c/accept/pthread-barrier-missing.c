/* Without a barrier. */
#include <assert.h>
#include <pthread.h>
static int came;
static void *run(void *unused)
{
    __sync_fetch_and_add(&came, 1);
    assert(came == 2);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
