/* dekker.c where a thread raises its flag only after it has seen the other's flag down.
 *
 * Asserted: mutual exclusion.
 * Breaks (check, then act):
 *   T0: flag1 == 0     T1: flag0 == 0     T0: flag0 = 1, x = 0     T1: flag1 = 1, x = 1
 *   T0: assert(x == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static int flag0 = 0, flag1 = 0;
static int turn = 0;
static int x;

static void *thread0(void *arg)
{
    while (flag1)
        while (turn != 0)
            ;
    flag0 = 1;
    x = 0;
    assert(x == 0);
    turn = 1;
    flag0 = 0;
    return arg;
}

static void *thread1(void *arg)
{
    while (flag0)
        while (turn != 1)
            ;
    flag1 = 1;
    x = 1;
    assert(x == 1);
    turn = 0;
    flag1 = 0;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread0, NULL);
    pthread_create(&t, NULL, thread1, NULL);
    return 0;
}
