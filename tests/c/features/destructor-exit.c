/* Exit runs destructors. */
#include <assert.h>
#include <stdlib.h>
int n;
__attribute__((destructor)) static void d1(void){ assert(n == 1); }
int main(void){ n = 1; exit(3); assert(0); }
