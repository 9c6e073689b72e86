/* The carry of a counter of two words comes to the upper half later, or earlier. */
#include <assert.h>
#include <pthread.h>
unsigned long long c = 0xffffffffu;
void *w(void *a) { c++; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); unsigned long long v = c; assert(v != 0); return 0; }
