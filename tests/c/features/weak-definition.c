/* Weak definitions, and a weak variable that nobody defines. */
#include <assert.h>
__attribute__((weak)) int f(void){ return 3; } extern int w __attribute__((weak)); int v __attribute__((weak)) = 4;
int main(void){ assert(f() == 3 && &w == 0 && v == 4); if (&w) assert(0); return 0; }
