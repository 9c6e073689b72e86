/* atomic_load and atomic_store of a struct are one step each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct s { short a, b; };
_Atomic struct s g;
void *w(void *x) { struct s n = { 1, 1 }; atomic_store(&g, n); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); struct s l = atomic_load(&g); assert(l.a == l.b); return 0; }
