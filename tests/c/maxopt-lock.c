/* Threads look for the maximum of an array: each finds the maximum of a block by itself and then
 * takes the lock once.
 *
 * Asserted: the common maximum is at least the maximum of a block that was looked at.
 * Safe: under the lock `max` only grows, and max >= mine is established before the unlock.
 */
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
        data[i] = __VERIFIER_nondet_int();
    max = data[0];
    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
