/* The order of arguments is open. */
#include <assert.h>

int n;

int next(void)
{
    return ++n;
}

int minus(int a, int b)
{
    return a - b;
}

int main(void)
{
    assert(minus(next(), next()) == -1);
    return 0;
}
