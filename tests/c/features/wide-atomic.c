/* Atomic accesses are one step, however wide. */
#include <assert.h>
#include <pthread.h>
_Atomic long long g; long long h;
void *w(void *a) { g = -1; __atomic_store_n(&h, -1, __ATOMIC_SEQ_CST); return 0; }
int main(void) {
    pthread_t t; pthread_create(&t, 0, w, 0);
    long long v = g, u = __atomic_load_n(&h, __ATOMIC_SEQ_CST);
    assert((v == 0 || v == -1) && (u == 0 || u == -1)); return 0;
}
