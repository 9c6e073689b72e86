/* An array of atomic counters. */
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
static atomic_int counts[3];
static void *run(void *unused)
{
    atomic_fetch_add(&counts[1], 1);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(counts[1] == 2 && counts[0] == 0);
    return 0;
}
