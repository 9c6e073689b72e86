/* ... and the other way round. */
#include <assert.h>
#include <pthread.h>

int x, y;

void *w(void *p)
{
    y = 1;
    x = 10;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    x += y;
    assert(x != 10);
    pthread_join(t, 0);
    return 0;
}
