/* An atomic struct is copied at once. */
#include <assert.h>
#include <pthread.h>

struct p { int a, b; };
_Atomic struct p g;

void *w(void *x)
{
    struct p p = { 1, 1 };
    g = p;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    struct p q = g;
    assert(q.a == q.b);
    return 0;
}
