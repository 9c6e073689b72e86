/* Long and pointers have 64 bits in the LP64 model. */
#include <assert.h>

int main(void)
{
    unsigned long x = 0xffffffffUL;

    assert(sizeof(long) == 8 && sizeof(void *) == 8);
    assert(x + 1 == 0x100000000UL);
    assert(-1L < 1u);
    return 0;
}
