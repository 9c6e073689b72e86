/* Only one of the handles is joined. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    pthread_t a, b;
};
struct pair pair;
atomic_int x;

void *worker(void *a)
{
    x++;
    return 0;
}

void wait_for(struct pair *p)
{
    pthread_join(p->a, 0);
    ;
}

int main(void)
{
    pthread_create(&pair.a, 0, worker, 0);
    pthread_create(&pair.b, 0, worker, 0);
    wait_for(&pair);
    assert(x == 2);
    return 0;
}
