/* A bit-field of width 0 separates memory locations, even within one storage unit: no update is lost. */
#include <assert.h>
#include <pthread.h>

struct { unsigned a : 4; unsigned char : 0; unsigned b : 4; } s;

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
    pthread_join(t, 0);
    assert(s.a == 1 && s.b == 1);
    return 0;
}
