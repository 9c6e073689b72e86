/* Peterson's algorithm is for two threads; here any number of threads play the second role.
 *
 * Asserted: mutual exclusion.
 * Breaks: two threads in the role of thread 1 do not see each other.
 *   A (1): flag[1] = 1, turn = 0, flag[0] is 0: enters, inside = 1
 *   B (1): flag[1] = 1, turn = 0, flag[0] is 0: enters, assert(inside == 0) fails
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

static bool flag[2];
static int turn;
static int inside = 0;

static void critical(void)
{
    assert(inside == 0);
    inside = 1;
    inside = 0;
}

static void *thread0(void *arg)
{
    flag[0] = true;
    turn = 1;
    while (flag[1] && turn == 1)
        ;
    critical();
    flag[0] = false;
    return arg;
}

static void *thread1(void *arg)
{
    flag[1] = true;
    turn = 0;
    while (flag[0] && turn == 0)
        ;
    critical();
    flag[1] = false;
    return arg;
}

int main(void)
{
    pthread_t t;

    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, thread1, NULL);
    thread0(NULL);
    return 0;
}
