/* A bakery in which nobody says that he is choosing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int choosing0, choosing1, number0, number1;
int inside;

void *p0(void *a)
{
    number0 = number1 + 1;
    choosing0 = 0;
    while (choosing1)
        ;
    while (number1 != 0 && number1 < number0)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    number0 = 0;
    return 0;
}

void *p1(void *a)
{
    choosing1 = 1;
    number1 = number0 + 1;
    choosing1 = 0;
    while (choosing0)
        ;
    while (number0 != 0 && number0 <= number1)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    number1 = 0;
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
