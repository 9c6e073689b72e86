/* The difference of pointers to different variables is undefined. */
#include <assert.h>
int x[4], y[4];
int main(void) { int *p = x, *q = y; assert(p - q != 0); return 0; }
