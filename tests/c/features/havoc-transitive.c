/* An unknown function follows pointers. */
#include <assert.h>
struct N { struct N *next; int v; }; static struct N b, a = { &b, 1 }; void unknown(struct N *);
int main(void){ unknown(&a); assert(b.v == 0); return 0; }
