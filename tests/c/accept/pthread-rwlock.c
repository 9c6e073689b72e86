/* A writer is alone. */
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *run(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    assert(x == 1);
    x--;
    pthread_rwlock_unlock(&lock);
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
