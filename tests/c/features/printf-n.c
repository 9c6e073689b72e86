/* printf with %n writes how many characters there were, if they are plain. */
#include <assert.h>
#include <stdio.h>
int main(void){ int n = 0, m = 1; printf("ab%%%n%d", &n, m); assert(m == 1); assert(n == 3); return 0; }
