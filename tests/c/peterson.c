/* Peterson's mutual exclusion algorithm for two threads.
 *
 * Asserted: mutual exclusion.
 * Safe: both flags are set while both are inside, and turn, written last by one of them, keeps
 * that one waiting.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool flag[2];
static int turn;
static int x;

static void *thread0(void *arg)
{
    while (1) {
        flag[0] = true;
        turn = 1;
        while (flag[1] && turn == 1)
            ;
        x = 0;
        assert(x <= 0);
        flag[0] = false;
    }
    return arg;
}

static void *thread1(void *arg)
{
    while (1) {
        flag[1] = true;
        turn = 0;
        while (flag[0] && turn == 0)
            ;
        x = 1;
        assert(x >= 1);
        flag[1] = false;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, thread0, NULL);
    pthread_create(&b, NULL, thread1, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
