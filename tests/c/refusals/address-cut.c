// refused: the lowest byte of an address decides at line 4
#include <assert.h>
unsigned char d; unsigned char *p = &d; unsigned char k;
int main(void){ k = (unsigned char)(unsigned long)p; if (k) assert(0); return 0; }
