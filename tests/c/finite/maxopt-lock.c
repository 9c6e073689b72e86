/* maxopt-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

#define SIZE 6
#define BLOCK 3

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data[SIZE];
static int max;

static void *worker(void *arg)
{
    int first = __VERIFIER_nondet_int();
    int mine, i;

    __VERIFIER_assume(first == 0 || first == BLOCK);
    mine = data[first];
    for (i = 1; i < BLOCK; i++) {
        int e = data[first + i];
        if (e > mine)
            mine = e;
    }
    pthread_mutex_lock(&m);
    if (mine > max)
        max = mine;
    pthread_mutex_unlock(&m);
    assert(mine <= max);
    return arg;
}

int main(void)
{
    pthread_t t;
    int i;

    for (i = 0; i < SIZE; i++)
        data[i] = __VERIFIER_nondet_int() & 1;
    max = data[0];
    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
