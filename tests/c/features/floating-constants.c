/* Constants of floating-point types: their values, conversions, sizes and bits. */
#include <assert.h>
#include <string.h>

double d = 1.5;
float f = 2.25f;

int main(void)
{
    unsigned long long bits;
    unsigned word;
    int i = 2.9;
    unsigned char c = 255;

    memcpy(&bits, &d, sizeof bits);
    memcpy(&word, &f, sizeof word);
    assert(bits == 0x3ff8000000000000ull && word == 0x40100000u);
    assert(i == 2 && (int)-2.9 == -2);
    assert(0.1 + 0.2 != 0.3 && (float)0.1 != 0.1 && -0.0 == 0.0);
    assert(!0.0 && (_Bool)0.1);
    c += 1.0 > 0;
    assert(c == 0);
    assert(sizeof 1.0L == 16 && sizeof 1.0f == 4 && sizeof 1.0 == 8);
    return 0;
}
