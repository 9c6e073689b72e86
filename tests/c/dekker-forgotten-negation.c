/* dekker.c with a forgotten negation in thread 1: it goes on when the other's flag is up.
 *
 * Asserted: mutual exclusion.
 * Breaks: T0: flag0 = 1, flag1 == 0, x = 0    T1: flag1 = 1, flag0 is up: enters, x = 1
 *   T0: assert(x == 0) fails
 */
#include <assert.h>
#include <pthread.h>

static int flag0 = 0, flag1 = 0;
static int x;

static void *thread0(void *arg)
{
    flag0 = 1;
    while (flag1)
        ;
    x = 0;
    assert(x == 0);
    flag0 = 0;
    return arg;
}

static void *thread1(void *arg)
{
    flag1 = 1;
    while (!flag0) /* should be flag0 */
        ;
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
