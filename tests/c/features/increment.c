/* Prefix and postfix increment yield the new and the old value. */
#include <assert.h>

int main(void)
{
    int i = 5;
    unsigned char c = 255;

    assert(i++ == 5 && i == 6);
    assert(--i == 5);
    assert(c++ == 255 && c == 0);
    assert(--c == 255);
    return 0;
}
