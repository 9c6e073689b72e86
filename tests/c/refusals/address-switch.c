// refused: a part of an address is switched on at line 5
#include <assert.h>
#include <stdint.h>
int a[4]; int *p = &a[1]; uintptr_t m = 8;
int main(void){ switch ((unsigned char)(uintptr_t)p) { case 3: assert(0); } if ((uintptr_t)p & m) assert(0); return 0; }
