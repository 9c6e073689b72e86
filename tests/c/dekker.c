/* Dekker's mutual exclusion algorithm for two threads.
 *
 * Asserted: mutual exclusion.
 * Safe: a thread enters only after it saw the other's flag down while its own was up; flags go down
 * only outside or while waiting for the turn.
 */
#include <assert.h>
#include <pthread.h>

static int flag0 = 0, flag1 = 0;
static int turn = 0;
static int x;

static void *thread0(void *arg)
{
    while (1) {
        flag0 = 1;
        while (flag1) {
            if (turn != 0) {
                flag0 = 0;
                while (turn != 0)
                    ;
                flag0 = 1;
            }
        }
        x = 0;
        assert(x == 0);
        turn = 1;
        flag0 = 0;
    }
    return arg;
}

static void *thread1(void *arg)
{
    while (1) {
        flag1 = 1;
        while (flag0) {
            if (turn != 1) {
                flag1 = 0;
                while (turn != 1)
                    ;
                flag1 = 1;
            }
        }
        x = 1;
        assert(x == 1);
        turn = 0;
        flag1 = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread0, NULL);
    pthread_create(&t, NULL, thread1, NULL);
    return 0;
}
