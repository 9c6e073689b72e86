// accepted: a join with one of unboundedly many threads through a variable index at line 21
#include <assert.h>
#include <pthread.h>

static int done;

static void *thread(void *arg)
{
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t[100];
    int n = 0;

    while (n < 100)
        pthread_create(&t[n++], 0, thread, 0);
    while (n > 0)
        pthread_join(t[--n], 0);
    assert(done == 1);
    return 0;
}
