// refused: a part of a part of an address decides at line 4
#include <assert.h>
int g;
int main(void){ unsigned long a = (unsigned long)&g; unsigned short s = a; unsigned char k = s >> 8; if (k) assert(0); return 0; }
