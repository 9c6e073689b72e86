/* A struct that is not returned. */
#include <assert.h>
struct S { int a; }; struct S f(int c){ struct S s = {1}; if (c) return s; }
int main(void){ f(1); struct S s = f(0); assert(s.a == 1); return 0; }
