/* A thread sees a variable of a function that only main calls. */
#include <assert.h>
#include <pthread.h>
void *w(void *a) { *(int *)a = 5; return 0; }
void f(void) { pthread_t t; int x = 0; pthread_create(&t, 0, w, &x); assert(x == 0); pthread_join(t, 0); }
int main(void) { f(); return 0; }
