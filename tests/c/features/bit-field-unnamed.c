/* Unnamed bit-fields of other widths separate nothing: an update of a neighbour may be lost. */
#include <assert.h>
#include <pthread.h>

struct { int before; struct { unsigned a : 4; unsigned : 2; unsigned b : 2; }; } s[2], *p = s + 1;

void *w(void *q)
{
    p->a++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    s[1].b = 1;
    assert(p->b == 1);
    pthread_join(t, 0);
    assert(s[1].a == 1);
    return 0;
}
