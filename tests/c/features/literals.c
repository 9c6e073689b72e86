/* Types and values of integer literals. */
#include <assert.h>

int main(void)
{
    assert(0x7fffffff > 0 && 0x80000000 > 0);
    assert(-0x80000000 > 0);
    assert(2147483648 > 0 && -2147483648 < 0);
    assert(010 == 8 && 0b101 == 5 && 10u - 11 > 0);
    return 0;
}
