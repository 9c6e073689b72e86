// What pthread_once runs is run once.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int runs;

void initialise(void) {
    runs++;
}

void *thread(void *unused) {
    pthread_once(&once, initialise);
    assert(runs == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_once(&once, initialise);
    pthread_once(&once, initialise);
    assert(runs == 1);
    return 0;
}
