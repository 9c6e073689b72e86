/* A text that is read is arbitrary as far as its array goes. */
#include <assert.h>
#include <stdio.h>
char buf[4]; int main(void){ scanf("%3s", buf); assert(buf[2] == 0); return 0; }
