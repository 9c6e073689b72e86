/* A bit-field that is converted to its own type is not promoted to int any more. */
#include <assert.h>

struct {
    unsigned a : 3;
    unsigned long b : 33;
} s;

int main(void)
{
    assert(s.a - 1 < 0);
    assert((unsigned)s.a - 1 > 0);
    s.b = 1;
    assert((unsigned long)s.b << 40 == 1ul << 40);
    return 0;
}
