/* double-lock-2-gap.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static unsigned left = 0, arrived = 0;

static void *pass(void *arg)
{
    unsigned mine;

    pthread_mutex_lock(&a);
    mine = left; left = (left + 1) & 3;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    assert(mine == arrived);
    arrived = (arrived + 1) & 3;
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, pass, NULL);
}
