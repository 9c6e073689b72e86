/* pthread_exit ends main, but no block of it: its variables live on. */
#include <assert.h>
#include <pthread.h>
void *w(void *a) { *(int *)a = 5; assert(*(int *)a == 5); return 0; }
int main(void) { pthread_t t; int x = 0; pthread_create(&t, 0, w, &x); pthread_exit(0); }
