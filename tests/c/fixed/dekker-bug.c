/* Dekker's algorithm, where one process looks only once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1, turn;
int inside;

void *p0(void *a)
{
    flag0 = 1;
    if (flag1) {
        if (turn != 0) {
            flag0 = 0;
            while (turn != 0)
                ;
            flag0 = 1;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1;
    flag0 = 0;
    return 0;
}

void *p1(void *a)
{
    flag1 = 1;
    while (flag0) {
        if (turn != 1) {
            flag1 = 0;
            while (turn != 1)
                ;
            flag1 = 1;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 0;
    flag1 = 0;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
    return 0;
}
