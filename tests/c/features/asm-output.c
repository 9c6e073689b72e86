/* An output of an empty asm is arbitrary. */
#include <assert.h>
int main(void){ int x = 4; __asm__ volatile("" : "=m"(x)); assert(x == 4); return 0; }
