// refused: the highest bits of an address decide at line 5
#include <assert.h>
#include <stdint.h>
int a[4]; int *p = &a[1];
int main(void){ uintptr_t u = (uintptr_t)p; if (u >> 40) assert(0); return 0; }
