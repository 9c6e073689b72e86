/* The number may be negative. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

atomic_int x;
int n;

void *worker(void *a)
{
    for (int i = 0; i < n; i++)
        x++;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= -1 && n <= 2);
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == 2 * n);
    return 0;
}
