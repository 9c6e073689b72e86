/* C leaves open which variables are neighbours in memory. */
#include <assert.h>
int x[2], y[2];
int main(void) { int *p = x + 2, *q = y; assert(p != q); return 0; }
