// refused: a computed floating-point number whose bytes the property depends on at line 10
#include <assert.h>
#include <string.h>

int main(void)
{
    float f = 1;
    unsigned u;

    f = f / 3;
    memcpy(&u, &f, sizeof u);
    assert(u == 0x3eaaaaab);
    return 0;
}
