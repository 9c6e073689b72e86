/* A signed char is extended with its sign. */
#include <assert.h>

int main(void)
{
    signed char c = (signed char)0x80;
    unsigned u = (unsigned)c;

    assert(u == 0x80);
    return 0;
}
