/* Three philosophers whose forks are taken in one order. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t fork0 = PTHREAD_MUTEX_INITIALIZER, fork1 = PTHREAD_MUTEX_INITIALIZER, fork2 = PTHREAD_MUTEX_INITIALIZER;
int user0, user1, user2;

void eat(pthread_mutex_t *a, pthread_mutex_t *b, int *x, int *y, int me)
{
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    *x = me;
    *y = me;
    assert(*x == me && *y == me);
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
}

void *p0(void *a)
{
    eat(&fork0, &fork1, &user0, &user1, 1);
    return 0;
}

void *p1(void *a)
{
    eat(&fork1, &fork2, &user1, &user2, 2);
    return 0;
}

void *p2(void *a)
{
    eat(&fork0, &fork2, &user0, &user2, 3);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, p0, 0);
    pthread_create(&t[1], 0, p1, 0);
    pthread_create(&t[2], 0, p2, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
    return 0;
}
