/* The result of a compound assignment is cut to the type of its left side. */
#include <assert.h>

int main(void)
{
    unsigned char c = 250;

    c += 10;
    assert(c == 260);
    return 0;
}
