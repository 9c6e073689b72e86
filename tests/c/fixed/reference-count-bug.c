/* A user gives up his reference before he looks. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int references = 3;
int is_freed;

void *user(void *a)
{
    if (--references == 0)
        is_freed = 1;
    assert(!is_freed);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, user, 0);
    pthread_create(&t[1], 0, user, 0);
    pthread_create(&t[2], 0, user, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(is_freed);
    return 0;
}
