/* Printf with %n writes. */
#include <assert.h>
#include <stdio.h>
int main(void){ int n = 0, m = 1; printf("abc%n%d", &n, m); assert(m == 1); assert(n == 0); return 0; }
