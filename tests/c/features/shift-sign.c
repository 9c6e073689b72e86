/* A signed shift to the right does not fill with zeros. */
#include <assert.h>

int main(void)
{
    int i = -8;

    assert((i >> 1) == 0x7ffffffc);
    return 0;
}
