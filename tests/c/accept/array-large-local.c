/* A large buffer in a function. */
#include <assert.h>
#include <pthread.h>

static void *run(void *unused)
{
    char buffer[100000];
    buffer[5] = 1;
    assert(buffer[5] == 1);
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
