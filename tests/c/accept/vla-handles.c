/* As many threads as the command line says. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
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
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]);
    if (n < 1)
        return 1;
    pthread_t handles[n];
    for (int i = 0; i < n; i++)
        pthread_create(&handles[i], 0, run, 0);
    for (int i = 0; i < n; i++)
        pthread_join(handles[i], 0);
    return 0;
}
