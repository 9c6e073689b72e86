/* Szymanski's algorithm, where a process does not wait at the door. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1;
int inside;

void *p0(void *a)
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
    inside++;
    assert(inside == 1);
    inside--;
    while (flag1 == 2 || flag1 == 3)
        ;
    flag0 = 0;
    return 0;
}

void *p1(void *a)
{
    flag1 = 1;
    while (flag0 >= 3)
        ;
    if (flag0 == 1) {
        flag1 = 2;
        while (flag0 != 4)
            ;
    }
    flag1 = 4;
    while (flag0 >= 2)
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
