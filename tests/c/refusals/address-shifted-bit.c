// refused: a bit of an address decides at line 5
#include <assert.h>
#include <stdint.h>
int a[4]; int *p = &a[1];
int main(void){ uintptr_t u = (uintptr_t)p; if ((u >> 4) & 1) assert(0); return 0; }
