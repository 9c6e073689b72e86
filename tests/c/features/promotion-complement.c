/* The complement of an unsigned char is an int: ~0 is -1, not 255. */
#include <assert.h>

int main(void)
{
    unsigned char c = 0;

    assert(~c == 255);
    return 0;
}
