/* Typeof takes the type of an expression without evaluating it. */
#include <assert.h>

int main(void)
{
    unsigned char c = 255;
    typeof(c) d = 256 + 1;
    typeof(c + 1) e = 256 + 1;
    int n = 0;
    __typeof__(n++) k = 4;

    assert(d == 1 && e == 257 && n == 0 && k == 4);
    return 0;
}
