/* A thread may run before its number is stored. */
#include <assert.h>
#include <pthread.h>
pthread_t t;
void *w(void *a) { assert(t != 0); return 0; }
int main(void) { pthread_create(&t, 0, w, 0); return 0; }
