/* Addresses as integers, in ways that do not depend on where objects are. */
#include <assert.h>
#include <stdint.h>
int a[4]; int *p = &a[1]; uintptr_t u;
int main(void){ u = (uintptr_t)p; int i = (int)(p - a); assert(i == 1);
 int *q = (int *)((u | 1) & ~(uintptr_t)1); assert(q == p); assert(((u & 3)) == 0); if (u) a[0] = 1; assert(a[0] == 1); if (!p) assert(0); _Bool b = p; assert(b); 
 q = (int *)(u & 0xffffffffffffull); assert(*q == 0); return 0; }
