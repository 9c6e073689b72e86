/* The comma operator evaluates from left to right and yields the right value. */
#include <assert.h>

int main(void)
{
    int a = 1, b;

    b = (a++, a * 10);
    assert(a == 2 && b == 20);
    for (a = 0, b = 10; a < b; a++, b--)
        ;
    assert(a == 5 && b == 5);
    return 0;
}
