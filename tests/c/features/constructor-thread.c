/* A constructor starts a thread. */
#include <assert.h>
#include <pthread.h>
int x; void *w(void *a){ x = 1; return 0; }
__attribute__((constructor)) static void init(void){ pthread_t t; pthread_create(&t, 0, w, 0); }
int main(void){ assert(x == 0); return 0; }
