/* A function of the library writes what another operand reads, before or after. */
#include <assert.h>
#include <stdlib.h>
unsigned s = 5;
int main(void) { unsigned a = s; unsigned r = s - a + 0 * rand_r(&s); assert(r == 0); return 0; }
