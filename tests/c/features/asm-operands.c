/* An empty asm with operands moves values. */
#include <assert.h>
int main(void){ int x = 4, y; __asm__ volatile("" : "+r"(x)); __asm__("" : "=r"(y) : "0"(x + 1)); assert(x == 4 && y == 5); return 0; }
