/* Scanf writes through all its pointers. */
#include <assert.h>
#include <stdio.h>
int main(void){ int a = 1, b = 2; scanf("%d %d", &a, &b); assert(b == 2); return 0; }
