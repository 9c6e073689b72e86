/* The number of a thread is arbitrary. */
#include <assert.h>
#include <pthread.h>

int main(void)
{
    assert((unsigned long)pthread_self() == 1);
    return 0;
}
