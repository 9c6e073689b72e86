/* What was registered last runs first. */
#include <assert.h>
#include <stdlib.h>
int n;
static void a(void){ assert(n == 1); n = 2; }
static void b(void){ assert(n == 0); n = 1; }
int main(void){ atexit(a); atexit(b); return 0; }
