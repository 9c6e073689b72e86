/* Rand_r changes its seed. */
#include <assert.h>
#include <stdlib.h>
int main(void){ unsigned s = 1; int r = rand_r(&s); assert(r >= 0); assert(s == 1); return 0; }
