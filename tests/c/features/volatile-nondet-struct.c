/* A volatile struct is arbitrary when it is copied. */
#include <assert.h>
struct S { int a; }; volatile struct S s = {1}; struct S f(void){ return s; } int g(struct S x){ return x.a; } int main(void){ assert(f().a == 1); assert(g(s) == 1); return 0; }
