/* Each thread takes a lock of its own. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int inside, next;
static void *run(void *unused)
{
    int mine = __sync_fetch_and_add(&next, 1);
    if (mine > 1)
        return 0;
    pthread_mutex_lock(&locks[mine]);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&locks[mine]);
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
