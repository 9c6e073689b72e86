/* Members of a union of different sizes share their bytes. */
#include <assert.h>

union {
    unsigned w;
    struct { unsigned short low, high; } h;
    unsigned char b[4];
} u;

int main(void)
{
    u.h.low = 0x1234;
    u.h.high = 0x5678;
    assert(u.w == 0x56781234 && u.b[1] == 0x12);
    u.b[3] = 1;
    assert(u.h.high == 0x0178);
    return 0;
}
