/* An arbitrary element is written and read again by another thread. */
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int a[4], i;

void *writer(void *p)
{
    a[i] = 7;
    return 0;
}

int main(void)
{
    pthread_t t;
    i = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < 4);
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(a[i] == 7);
    return 0;
}
