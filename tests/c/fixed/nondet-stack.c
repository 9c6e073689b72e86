/* A thread pushes and another pops an arbitrary number of times.
 * Safe: the stack is never longer than it can be.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int s[4], top, n;
static void *push(void *arg)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        if (top < 4)
            s[top++] = i;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *pop(void *arg)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        if (top > 0)
            top--;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    n = __VERIFIER_nondet_int();
    pthread_create(&t0, 0, push, 0);
    pthread_create(&t1, 0, pop, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(top >= 0 && top <= 4);
    return 0;
}
