/* stack-lock.c where the test for a full stack is off by one; the stack has two places.
 *
 * Asserted: the fill level never leaves the array.
 * Breaks: three pushers in a row; the third finds top == 2, 2 > SIZE is false, writes stack[2]
 * (outside the array, into a spare place here) and asserts 3 <= 2.
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 2

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE + 1];
static int top = 0;

static int push(int x)
{
    pthread_mutex_lock(&m);
    if (top > SIZE) { /* should be >= */
        pthread_mutex_unlock(&m);
        return -1;
    }
    stack[top] = x;
    top++;
    assert(top <= SIZE);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *pusher(void *arg)
{
    push(__VERIFIER_nondet_int());
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, pusher, NULL);
}
