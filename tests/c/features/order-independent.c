/* An order that makes no difference. */
#include <assert.h>

int x, y;

int f(void)
{
    return ++x;
}

int g(void)
{
    return ++y;
}

int main(void)
{
    assert(f() + 2 * g() == 3);
    return 0;
}
