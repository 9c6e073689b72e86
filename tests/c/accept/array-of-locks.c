/* An array of locks, one of which is used. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int inside;
static void *run(void *unused)
{
    pthread_mutex_lock(&locks[1]);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&locks[1]);
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
