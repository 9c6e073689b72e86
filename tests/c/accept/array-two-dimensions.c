/* A matrix. */
#include <assert.h>
#include <pthread.h>
static int m[3][4];
static void *run(void *unused)
{
    m[2][3] = 5;
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(m[2][3] == 5 && m[1][3] == 0);
    return 0;
}
