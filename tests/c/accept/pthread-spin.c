/* Spin locks. */
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t lock;
static int inside;
static void *run(void *unused)
{
    pthread_spin_lock(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_spin_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_spin_init(&lock, 0);
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
