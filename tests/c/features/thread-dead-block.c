/* A thread uses a variable of a block of main that has ended. */
#include <pthread.h>
void *w(void *a) { *(int *)a = 5; return 0; }
int main(void) { pthread_t t; { int x = 0; pthread_create(&t, 0, w, &x); } int y = 1; pthread_join(t, 0); return y; }
