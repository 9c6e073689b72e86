/* The value may be changed on the way. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

atomic_int ready;
int value, seen;

void *reader(void *a)
{
    while (!ready)
        ;
    seen = value;
    return 0;
}

int main(void)
{
    pthread_t t;
    int x = __VERIFIER_nondet_int();
    pthread_create(&t, 0, reader, 0);
    ready = 1;
    value = x;
    pthread_join(t, 0);
    assert(seen == x);
    return 0;
}
