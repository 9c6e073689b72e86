/* peterson.c with the two writes of the entry in the wrong order.
 *
 * Asserted: mutual exclusion.
 * Breaks (wrong order):
 *   T0: turn = 1      T1: turn = 0, flag[1] = 1, flag[0] is 0: enters
 *   T0: flag[0] = 1, flag[1] holds, turn == 1 does not: enters, x = 0     T1: x = 1
 *   T0: assert(x <= 0) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool flag[2];
static int turn;
static int x;

static void *peterson(void *arg)
{
    const int me = arg != NULL;
    const int other = 1 - me;

    turn = other;
    flag[me] = true;
    while (flag[other] && turn == other)
        ;
    x = me;
    assert(x == me);
    flag[me] = false;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, peterson, NULL);
    pthread_create(&b, NULL, peterson, &turn); /* any pointer but NULL */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
