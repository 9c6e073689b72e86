/* A low bit of an aligned address is free. */
#include <assert.h>
#include <stdint.h>

int g = 3;

int main(void)
{
    uintptr_t t = (uintptr_t)&g | 1;
    assert((t & 1) == 1);
    int *p = (int *)(t & ~(uintptr_t)1);
    assert(*p == 3);
    return 0;
}
