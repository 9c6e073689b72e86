/* A reader-writer lock that nobody holds is unlocked: the run goes on. */
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

int main(void)
{
    pthread_rwlock_unlock(&lock);
    x = 1;
    assert(x == 0);
    return 0;
}
