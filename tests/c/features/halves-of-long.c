/* A wide integer over two narrow ones. */
#include <assert.h>

struct { unsigned low, high; } s;

int main(void)
{
    *(unsigned long *)&s = 0x500000003ul;
    assert(s.low == 3);
    assert(s.high == 0);
    return 0;
}
