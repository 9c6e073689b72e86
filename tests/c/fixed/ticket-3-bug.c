/* A ticket lock whose tickets are drawn in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next, serving;
int inside;

void *worker(void *a)
{
    int ticket = next;
    next = ticket + 1;
    while (serving != ticket)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    serving++;
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_create(&t[2], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(serving == 3);
    return 0;
}
