/* Whatever the order, both values are there, and they are different. */
#include <assert.h>

int count;

int next(void)
{
    return count++;
}

int main(void)
{
    struct { int a, b, c; } s = { next(), 7, next() };

    assert(s.a + s.c == 1 && s.b == 7);
    return 0;
}
