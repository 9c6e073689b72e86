/* A stack with pushes and pops under a mutex. */
#include <assert.h>
#include <pthread.h>

int stack[4], top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void push(int v)
{
    pthread_mutex_lock(&m);
    int at = top;
    stack[at] = v;
    top = at + 1;
    pthread_mutex_unlock(&m);
}

void *worker(void *a)
{
    push(1);
    push(1);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(top == 4);
    return 0;
}
