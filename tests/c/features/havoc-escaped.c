/* An unknown function keeps addresses. */
#include <assert.h>
int g; void keep(int *); void poke(void);
int main(void){ keep(&g); g = 0; poke(); assert(g == 0); return 0; }
