/* The right operand of && and || is evaluated only when needed. */
#include <assert.h>

static int calls;

static int touch(int r)
{
    calls++;
    return r;
}

int main(void)
{
    assert(!(0 && touch(1)) && calls == 0);
    assert((1 || touch(1)) && calls == 0);
    assert((1 && touch(7)) == 1 && calls == 1);
    assert((0 || touch(0)) == 0 && calls == 2);
    return 0;
}
