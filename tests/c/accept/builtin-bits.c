/* Built-ins about bits. */
#define _GNU_SOURCE
#include <stdint.h>
#include <assert.h>

int main(void)
{
    assert(__builtin_popcount(0xf0u) == 4 && __builtin_ctz(8u) == 3 && __builtin_clz(1u) == 31);
    assert(__builtin_bswap32(0x11223344u) == 0x44332211u);
    return 0;
}
