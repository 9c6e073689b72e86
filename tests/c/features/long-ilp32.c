/* Long and pointers have 32 bits in the ILP32 model. */
#include <assert.h>

int main(void)
{
    unsigned long x = 0xffffffffUL;

    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    assert(x + 1 == 0);
    assert(-1L < 1u == 0);
    return 0;
}
