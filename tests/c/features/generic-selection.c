/* _Generic chooses by type. */
#include <assert.h>

#define WIDTH(x) _Generic((x), char : 8, short : 16, int : 32, default : 64)

int main(void)
{
    char c = 0;
    short s = 0;

    assert(WIDTH(c) == 8 && WIDTH(s) == 16 && WIDTH(s + s) == 32 && WIDTH(1LL) == 64);
    return 0;
}
