/* Two threads take turns, three times each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
int x;

void *ping(void *a)
{
    for (int i = 0; i < 3; i++) {
        while (turn != 0)
            ;
        x++;
        turn = 1;
    }
    return 0;
}

void *pong(void *a)
{
    for (int i = 0; i < 3; i++) {
        while (turn != 1)
            ;
        assert(x % 2 == 1);
        x++;
        turn = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, ping, 0);
    pthread_create(&t[1], 0, pong, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == 6);
    return 0;
}
