/* A weak function that nobody defines is null. */
#include <assert.h>
extern void hook(void) __attribute__((weak)); int n;
int main(void){ if (hook) { hook(); n = 1; } assert(n == 0); return 0; }
