/* A critical section under a lock that is taken by an exchange (Kaiser, thesis, the question of the introduction: can two
 * threads be there?). Asked with --label CS*2: two threads at CS at once, and with --label CS,AFTER: one at each.
 *
 * Expected: safe for CS*2; unsafe for CS,AFTER.
 */
#include <pthread.h>

static int lock;
static int x;

static void *worker(void *argument)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))
        ;
CS:
    x++;
    __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
AFTER:
    return argument;
}

int main(void)
{
    pthread_t thread;

    while (1)
        pthread_create(&thread, 0, worker, 0);
}
