/* Szymanski's mutual exclusion algorithm for two threads. The flags mean: 0 outside, 1 wants in,
 * 2 waits in the anteroom, 3 at the door, 4 behind the closed door.
 *
 * Asserted: mutual exclusion (x holds the number of the thread inside).
 * Safe: whoever passes the door with the other one also behind it lets thread 0 go first (thread 1
 * waits until flag0 < 2), and the door stays closed (flag >= 3) while one is inside.
 */
#include <assert.h>
#include <pthread.h>

static int flag0 = 0, flag1 = 0;
static int x;

static void *thread0(void *arg)
{
    while (1) {
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
        while (1) { /* leave the anteroom empty */
            int f = flag1;
            if (f < 2 || f > 3)
                break;
        }
        flag0 = 0;
    }
    return arg;
}

static void *thread1(void *arg)
{
    while (1) {
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
        while (flag0 >= 2)
            ;
        x = 1;
        assert(x == 1);
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
