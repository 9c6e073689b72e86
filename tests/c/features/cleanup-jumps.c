/* Continue, break and goto leave scopes. */
#include <assert.h>
int n;
static void c(int *p){ n += *p; }
int main(void){ for (int i = 0; i < 3; i++) { int a __attribute__((cleanup(c))) = 1; if (i == 1) continue; if (i == 2) break; } assert(n == 3);
 { int z __attribute__((cleanup(c))) = 10; goto out; } out: assert(n == 13); return 0; }
