/* Pointers into one variable are ordered, whichever it is. */
#include <assert.h>
int nondet_int(void); int x[4], y[4]; struct { int a; char b; } s;
int main(void) { int *p = nondet_int() ? x : y; int *q = p + 1; assert(p < q && q - p == 1); assert((char *)&s.a < &s.b); return 0; }
