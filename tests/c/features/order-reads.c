/* The order in which operands read shared variables is open. */
#include <assert.h>
#include <pthread.h>

_Atomic int x, y;

void *w(void *a)
{
    y = 1;
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    int r = x * 2 + y;
    assert(r != 2);
    return 0;
}
