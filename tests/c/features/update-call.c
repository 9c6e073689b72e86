/* A call that changes what its result is added to: before or after that is read. */
#include <assert.h>

int x = 1;

int f(void)
{
    x = 10;
    return 1;
}

int main(void)
{
    x += f();
    assert(x == 11);
    return 0;
}
