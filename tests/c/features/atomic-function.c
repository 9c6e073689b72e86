// A function whose name begins with __VERIFIER_atomic_ is one step.
#include <assert.h>
#include <pthread.h>

int x;

void __VERIFIER_atomic_add(void) {
    int old = x;
    x = old + 1;
}

void *thread(void *unused) {
    __VERIFIER_atomic_add();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    __VERIFIER_atomic_add();
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
