/* A thread uses a variable of a function of main that has returned. */
#include <pthread.h>
int n;
void *w(void *a) { n = *(int *)a; return 0; }
void f(void) { pthread_t t; int x = 0; pthread_create(&t, 0, w, &x); }
int main(void) { f(); n = 2; return 0; }
