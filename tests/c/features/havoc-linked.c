/* An unknown function changes what it knows by its name. */
#include <assert.h>
int g; void poke(void);
int main(void) { poke(); assert(g == 0); return 0; }
