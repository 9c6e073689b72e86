/* szymanski.c where thread 1 forgets to wait until thread 0 has left (the last loop before its
 * critical section).
 *
 * Asserted: mutual exclusion (x holds the number of the thread inside).
 * Breaks:
 *   T0: flag0 = 1, flag1 == 0        T1: flag1 = 1, flag0 == 1
 *   T0: flag0 = 3, flag1 == 1, flag0 = 2      T1: flag1 = 3, flag0 == 2, flag1 = 4
 *   T0: flag1 == 4, flag0 = 4, x = 0          T1: x = 1          T0: assert(x == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static int flag0 = 0, flag1 = 0;
static int x;

static void *thread0(void *arg)
{
    flag0 = 1;
    while (flag1 >= 3)
        ;
    flag0 = 3;
    if (flag1 == 1) {
        flag0 = 2;
        while (flag1 != 4)
            ;
    }
    flag0 = 4;
    x = 0;
    assert(x == 0);
    flag0 = 0;
    return arg;
}

static void *thread1(void *arg)
{
    flag1 = 1;
    while (flag0 >= 3)
        ;
    flag1 = 3;
    if (flag0 == 1) {
        flag1 = 2;
        while (flag0 != 4)
            ;
    }
    flag1 = 4;
    x = 1;
    assert(x == 1);
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
