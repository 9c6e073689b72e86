/* A result is taken for that of the other thread. */
#include <assert.h>
#include <pthread.h>

void *twice(void *a)
{
    return (void *)(2 * (long)a);
}

int main(void)
{
    pthread_t t, u;
    void *p, *q;
    pthread_create(&t, 0, twice, (void *)3);
    pthread_create(&u, 0, twice, (void *)4);
    pthread_join(t, &p);
    pthread_join(u, &q);
    assert((long)p == 8);
    return 0;
}
