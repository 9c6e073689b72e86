// accepted: integers of 128 bits at line 6
#include <assert.h>

int main(void)
{
    unsigned __int128 x = 1;

    x <<= 100;
    assert(x >> 100 == 1);
    return 0;
}
