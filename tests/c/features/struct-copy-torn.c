/* Structs are copied member by member, and others may come between. */
#include <assert.h>
#include <pthread.h>

struct pair { int a; char b; } s, ones = { 1, 1 };

void *w(void *p)
{
    s = ones;
    return 0;
}

int main(void)
{
    pthread_t t;
    struct pair q;
    pthread_create(&t, 0, w, 0);
    q = s;
    assert(q.a == q.b);
    return 0;
}
