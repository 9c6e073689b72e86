/* An unsigned countdown that stops one too early. */
#include <assert.h>

int main(void)
{
    unsigned i;
    int seen = 0;

    for (i = 3; i > 0; i--)
        seen |= 1 << i;
    assert(seen & 1);
    return 0;
}
