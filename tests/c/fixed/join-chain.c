/* Each thread starts and joins the next. */
#include <assert.h>
#include <pthread.h>

int x;

void *third(void *a)
{
    x = 3;
    return 0;
}

void *second(void *a)
{
    pthread_t t;
    pthread_create(&t, 0, third, 0);
    pthread_join(t, 0);
    return 0;
}

void *first(void *a)
{
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_t t[1];
    pthread_create(&t[0], 0, first, 0);
    pthread_join(t[0], 0);
    assert(x == 3);
    return 0;
}
