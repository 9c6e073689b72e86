/* An unknown function knows no variable without external linkage, nor what comes later. */
#include <assert.h>
static int g, h; void keep(int *); void poke(void);
int main(void) { static int s; poke(); assert(g == 0 && s == 0); keep(&g); assert(h == 0); return 0; }
