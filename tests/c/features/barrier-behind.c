/* What comes after a barrier is not ordered. */
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b; int x; void *w(void *a){ pthread_barrier_wait(&b); x = 1; return 0; }
int main(void){ pthread_t t; pthread_barrier_init(&b,0,2); pthread_create(&t,0,w,0); pthread_barrier_wait(&b); assert(x == 0); return 0; }
