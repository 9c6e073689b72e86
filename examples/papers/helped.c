/* Two counters that any number of threads count together (Kaiser, thesis, section 5.1: predicates that the user gives).
 *
 * Asserted: they are equal whenever nobody holds the lock.
 * Safe.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned a, b;

void __CPROVER_predicate(int);

void count(void)
{
    __CPROVER_predicate(a == b);
    pthread_mutex_lock(&lock);
    assert(a == b);
    a++;
    b++;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        count();
    }
}
