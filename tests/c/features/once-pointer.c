/* Pthread_once with one of two functions. */
#include <pthread.h>
#include <assert.h>
int x; void a(void){ x = 1; } void b(void){ x = 2; } pthread_once_t o = PTHREAD_ONCE_INIT; int __VERIFIER_nondet_int(void);
int main(void){ void (*f)(void) = a; if (__VERIFIER_nondet_int()) f = b; pthread_once(&o, f); assert(x == 1); return 0; }
