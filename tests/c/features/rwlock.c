// A writer waits until no reader is left.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value;

void *writer(void *unused) {
    pthread_rwlock_wrlock(&l);
    value++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    int first = value;
    int second = value;
    assert(first == second);
    pthread_rwlock_unlock(&l);
    return 0;
}
