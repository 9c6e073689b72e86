/* An unknown function does not know what comes later. */
#include <assert.h>
int g, h; void keep(int *); void poke(void);
int main(void){ poke(); assert(g == 0); keep(&g); assert(h == 0); return 0; }
