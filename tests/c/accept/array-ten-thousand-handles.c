/* Ten thousand threads and their handles. */
#include <assert.h>
#include <pthread.h>
static pthread_t handles[10000];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *run(void *unused)
{
    pthread_mutex_lock(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    int i;
    for (i = 0; i < 10000; i++)
        pthread_create(&handles[i], 0, run, 0);
    for (i = 0; i < 10000; i++)
        pthread_join(handles[i], 0);
    return 0;
}
