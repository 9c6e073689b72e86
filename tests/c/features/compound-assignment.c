/* Compound assignment computes in the promoted type and converts back. */
#include <assert.h>

int main(void)
{
    unsigned char c = 250;
    int i = 7;
    unsigned u = 1;

    c += 10;
    assert(c == 4);
    i -= 10, i *= -3, i /= 2, i %= 3;
    assert(i == 1);
    u <<= 4, u |= 3, u ^= 1, u &= ~16u, u >>= 1;
    assert(u == 1);
    return 0;
}
