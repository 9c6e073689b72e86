/* An array in a struct. */
#include <assert.h>
#include <pthread.h>
static struct { int n; int a[3]; } s;
static void *run(void *unused)
{
    s.a[2] = 4;
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(s.a[2] == 4 && s.n == 0);
    return 0;
}
