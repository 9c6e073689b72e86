/* A bounded stack in an array under a mutex; any number of threads push and pop.
 *
 * Asserted: after a push the stack is not empty, and the fill level never leaves the array.
 * Safe: outside the lock 0 <= top <= SIZE; a push that finds room makes top >= 1 before the assert,
 * which is made under the same lock.
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE];
static int top = 0; /* number of elements */

static int push(int x)
{
    pthread_mutex_lock(&m);
    if (top == SIZE) {
        pthread_mutex_unlock(&m);
        return -1;
    }
    stack[top] = x;
    top++;
    assert(top > 0 && top <= SIZE);
    pthread_mutex_unlock(&m);
    return 0;
}

static int pop(int *x)
{
    int got = 0;

    pthread_mutex_lock(&m);
    if (top > 0) {
        top--;
        *x = stack[top];
        got = 1;
    }
    pthread_mutex_unlock(&m);
    return got;
}

static void *pusher(void *arg)
{
    push(__VERIFIER_nondet_int());
    return arg;
}

static void *popper(void *arg)
{
    int x;

    pop(&x);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, NULL, pusher, NULL);
        else
            pthread_create(&t, NULL, popper, NULL);
    }
}
