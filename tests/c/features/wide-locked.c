/* Under a lock nobody sees the halves. */
#include <assert.h>
#include <pthread.h>
long long g; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) { pthread_mutex_lock(&m); g = -1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t t; pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m); long long v = g; pthread_mutex_unlock(&m);
    assert(v == 0 || v == -1); return 0;
}
