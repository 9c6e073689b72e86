/* While an unknown function runs, others see each of its changes. */
#include <assert.h>
#include <pthread.h>
int g; void poke(void);
void *w(void *a) { int x = g, y = g, z = g; assert(!(x == 0 && y == 1 && z == 2)); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); poke(); return 0; }
