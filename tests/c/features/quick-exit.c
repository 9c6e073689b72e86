/* Quick_exit runs what at_quick_exit registered. */
#include <assert.h>
#include <stdlib.h>
static void h(void){ assert(0); } static void g(void){ } int main(void){ atexit(g); at_quick_exit(h); quick_exit(0); }
