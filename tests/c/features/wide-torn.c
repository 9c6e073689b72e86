/* What is wider than a machine word is read and written half by half. */
#include <assert.h>
#include <pthread.h>
struct pair { int k; __int128 v; } g;
void *w(void *a) { g.v = -1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); struct pair l = g; assert(l.v == 0 || l.v == -1); return 0; }
