/* Short operands are multiplied as ints. */
#include <assert.h>

int main(void)
{
    short a = 300, b = 300;
    short c = (short)(a * b);

    assert(a * b == 90000);
    assert(c == 24464);
    return 0;
}
