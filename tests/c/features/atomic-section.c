/* Nobody sees the middle of an atomic section. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void *thread(void *arg)
{
    __VERIFIER_atomic_begin();
    x = !x;
    y = !y;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, 0, thread, 0);
        __VERIFIER_atomic_begin();
        assert(x == y);
        __VERIFIER_atomic_end();
    }
    return 0;
}
