/* Peterson's mutual exclusion of two processes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1, turn;
int inside;

void *p0(void *a)
{
    flag0 = 1;
    turn = 1;
    while (flag1 && turn == 1)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    flag0 = 0;
    return 0;
}

void *p1(void *a)
{
    flag1 = 1;
    turn = 0;
    while (flag0 && turn == 0)
        ;
    inside++;
    assert(inside == 1);
    inside--;
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
