/* maxopt-cas.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

#define SIZE 4
#define BLOCK 2

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int data[SIZE];
static int max;

static void *worker(void *arg)
{
    int first = __VERIFIER_nondet_bool() ? BLOCK : 0;
    int mine = data[first];
    int i, c;

    for (i = 1; i < BLOCK; i++)
        if (data[first + i] > mine)
            mine = data[first + i];
    do {
        c = __atomic_load_n(&max, __ATOMIC_SEQ_CST);
        if (mine <= c)
            break;
    } while (__sync_val_compare_and_swap(&max, c, mine) != c);
    assert(mine <= __atomic_load_n(&max, __ATOMIC_SEQ_CST));
    return arg;
}

int main(void)
{
    pthread_t t;
    int i;

    for (i = 0; i < SIZE; i++)
        data[i] = (__VERIFIER_nondet_int() & 1);
    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
