/* Destructors run after what atexit registered. */
#include <assert.h>
#include <stdlib.h>
int n;
__attribute__((destructor)) static void d1(void){ assert(n != 2); }
static void h(void){ n++; }
int main(void){ atexit(h); atexit(h); return 0; }
