/* Each of three reads in one expression is made once, in any order: the first one may be made first. */
#include <assert.h>
#include <pthread.h>

_Atomic int x, y, z;

void *w(void *a)
{
    x = 1;
    z = 1;
    y = 1;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    int r = (x + 2 * y) + 4 * z;
    assert(r != 4);
    return 0;
}
