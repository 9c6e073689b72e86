/* Shifts: signed ones to the right keep the sign, unsigned ones fill with zeros. */
#include <assert.h>

int main(void)
{
    int i = -8;
    unsigned u = (unsigned)i;
    unsigned char c = 0xf0;

    assert(i >> 1 == -4);
    assert(u >> 1 == 0x7ffffffcu);
    assert(1u << 31 == 0x80000000u);
    assert(c << 4 == 0xf00);
    assert((unsigned char)(c << 4) == 0);
    return 0;
}
