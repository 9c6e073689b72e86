/* Constructors run before main in the order of their priorities. */
#include <assert.h>
int n, a, b, c;
__attribute__((constructor(300))) static void f3(void){ c = ++n; }
__attribute__((constructor(200))) static void f2(void){ b = ++n; }
__attribute__((constructor)) static void f1(void){ a = ++n; }
int main(void){ assert(b == 1 && c == 2 && a == 3); return 0; }
