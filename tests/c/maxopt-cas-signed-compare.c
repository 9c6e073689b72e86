/* maxopt-cas.c for unsigned elements, but compared after a cast to int.
 *
 * Asserted: the common maximum is at least the element looked at.
 * Breaks (wrong type), with one worker: mine = 0x80000000, c = 0; as ints mine < 0, so nothing is
 * stored; assert(0x80000000 <= 0) fails.
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned max = 0;

static void *worker(void *arg)
{
    unsigned mine = __VERIFIER_nondet_uint();
    unsigned c;

    do {
        c = __atomic_load_n(&max, __ATOMIC_SEQ_CST);
        if ((int)mine <= (int)c)
            break;
    } while (__sync_val_compare_and_swap(&max, c, mine) != c);
    assert(mine <= __atomic_load_n(&max, __ATOMIC_SEQ_CST));
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, worker, NULL);
}
