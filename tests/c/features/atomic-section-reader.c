/* An atomic section does not help a reader that has none. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void *thread(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    int a, b;

    pthread_create(&t, 0, thread, 0);
    a = x;
    b = y;
    assert(a == b);
    return 0;
}
