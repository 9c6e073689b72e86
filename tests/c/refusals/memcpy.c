// refused: a floating-point number whose bytes the property depends on at line 7
#include <assert.h>
#include <string.h>

int main(void)
{
    float f = 1;
    unsigned u;

    memcpy(&u, &f, sizeof u);
    assert(u == 0x3f800000);
    return 0;
}
