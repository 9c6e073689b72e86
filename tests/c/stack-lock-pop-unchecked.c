/* stack-lock.c where pop looks whether the stack is empty before it takes the lock.
 *
 * Asserted: the fill level never becomes negative.
 * Breaks (check, then act): main pushed one element.
 *   A: top > 0      B: top > 0, lock, top = 0, unlock      A: lock, top = -1, assert fails
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE] = {7};
static int top = 1;

static void *popper(void *arg)
{
    if (top > 0) {
        pthread_mutex_lock(&m);
        top--;
        assert(top >= 0);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    stack[0] = 42;
    while (1)
        pthread_create(&t, NULL, popper, NULL);
}
