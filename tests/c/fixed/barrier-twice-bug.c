/* A barrier used twice whose counter is not reset. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count, sense;
atomic_int step0, step1;

void wait_for_both(int *own)
{
    *own = !*own;
    if (atomic_fetch_add(&count, 1) == 1) {
        count = 1;
        sense = *own;
    } else {
        while (sense != *own)
            ;
    }
}

void *left(void *a)
{
    int own = 0;
    step0 = 1;
    wait_for_both(&own);
    assert(step1 >= 1);
    wait_for_both(&own);
    step0 = 2;
    return 0;
}

void *right(void *a)
{
    int own = 0;
    step1 = 1;
    wait_for_both(&own);
    assert(step0 == 1);
    wait_for_both(&own);
    step1 = 2;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, left, 0);
    pthread_create(&t[1], 0, right, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(step0 == 2 && step1 == 2);
    return 0;
}
