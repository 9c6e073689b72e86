/* The smaller of two arbitrary numbers. */
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int least = 2147483647;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *a)
{
    int v = *(int *)a;
    pthread_mutex_lock(&m);
    if (v < least)
        least = v;
    pthread_mutex_unlock(&m);
    return 0;
}

int x, y;

int main(void)
{
    pthread_t t[2];
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    pthread_create(&t[0], 0, worker, &x);
    pthread_create(&t[1], 0, worker, &y);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(least <= x && least <= y);
    return 0;
}
