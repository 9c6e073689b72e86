/* Three reads in one expression, in an order that is none of the orders of whole operands. */
#include <assert.h>
#include <pthread.h>

_Atomic int x, y, z;

void *first(void *a)
{
    z = 1;
    x = 1;
    return a;
}

void *second(void *a)
{
    if (x)
        y = 1;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    /* x before z, z before y. */
    int r = (x + 2 * y) + 4 * z;
    assert(r != 2);
    return 0;
}
