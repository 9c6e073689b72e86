/* A large buffer in a loop. */
#include <assert.h>
#include <pthread.h>

static void *run(void *unused)
{
    int i;
    for (i = 0; i < 2; i++) {
        char buffer[9000];
        buffer[i] = 1;
    }
    assert(i == 2);
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
