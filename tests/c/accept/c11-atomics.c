/* Atomic operations of C11. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int inside;
static void *run(void *unused)
{
    while (atomic_flag_test_and_set(&lock))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_flag_clear(&lock);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
