/* Unsigned char operands are promoted to int before the addition. */
#include <assert.h>

int main(void)
{
    unsigned char a = 200, b = 100;

    assert(a + b == 300);
    assert((unsigned char)(a + b) == 44);
    a = a + b;
    assert(a == 44);
    return 0;
}
