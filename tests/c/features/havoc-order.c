/* Whether an operand is read before or after an unknown function is called is open. */
#include <assert.h>
int poke(int *);
int main(void) { int x = 1; int r = x + 0 * poke(&x); assert(r == 1); return 0; }
