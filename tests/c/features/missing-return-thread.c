/* A thread that ends without a result. */
#include <pthread.h>
#include <assert.h>
void *w(void *a){ }
int main(void){ pthread_t t; void *r = 0; pthread_create(&t, 0, w, 0); pthread_join(t, &r); assert(r == 0); return 0; }
