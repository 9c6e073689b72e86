/* Popcount, clz, ctz, bswap. */
#include <assert.h>
int main(void){ assert(__builtin_popcount(0xf0f) == 8); assert(__builtin_clz(1) == 31); assert(__builtin_ctzll(8) == 3); assert(__builtin_bswap32(0x01020304) == 0x04030201); assert(__builtin_ffs(0) == 0 && __builtin_ffsl(4) == 3); assert(__builtin_parity(7) == 1); return 0; }
