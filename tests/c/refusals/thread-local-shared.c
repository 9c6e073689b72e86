// undefined: a local variable whose address is given to a thread that outlives it at line 7
#include <assert.h>
#include <pthread.h>

static void *thread(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

static void start(pthread_t *t)
{
    int local = 0;

    pthread_create(t, 0, thread, &local);
}

int main(void)
{
    pthread_t t;

    start(&t);
    pthread_join(t, 0);
    assert(1);
    return 0;
}
