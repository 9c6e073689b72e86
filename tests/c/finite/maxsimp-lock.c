/* maxsimp-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data[SIZE];
static int max;

static void look_at(int e)
{
    pthread_mutex_lock(&m);
    if (e > max)
        max = e;
    pthread_mutex_unlock(&m);
    assert(e <= max);
}

static void *worker(void *arg)
{
    int i;

    for (i = 0; i < SIZE; i++)
        look_at(data[i]);
    return arg;
}

int main(void)
{
    pthread_t t;
    int i;

    for (i = 0; i < SIZE; i++)
        data[i] = (__VERIFIER_nondet_int() & 1);
    max = data[0];
    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
