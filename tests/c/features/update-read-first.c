/* Whether `x += y` reads x or y first is open: compilers read x before y. */
#include <assert.h>
#include <pthread.h>

int x, y;

void *w(void *p)
{
    x = 10;
    y = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    x += y;
    pthread_join(t, 0);
    assert(x != 1);
    return 0;
}
