/* Bit-fields of one unit are one memory location: an update of one may lose that of the other. */
#include <assert.h>
#include <pthread.h>

struct { unsigned a : 4; unsigned b : 4; } s;

void *w(void *p)
{
    s.a = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    s.b = 1;
    assert(s.b == 1);
    pthread_join(t, 0);
    assert(s.a == 1);
    return 0;
}
