// refused: bits of an address beyond its alignment are compared at line 5
#include <assert.h>
#include <stdint.h>
_Alignas(16) long a[4]; long *p = a;
int main(void){ uintptr_t u = (uintptr_t)p; if (((u >> 4) & 7) == 3) assert(0); return 0; }
