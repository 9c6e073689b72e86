/* The local variable of the outer call is what it was. */
#include <assert.h>

int calls;

int f(int n)
{
    int mine = 10 * n;
    int inner = 0;

    calls++;
    if (n > 0)
        inner = f(n - 1);
    return mine + inner;
}

int main(void)
{
    int sum = f(2);

    assert(calls == 3);
    assert(sum != 30);
    return 0;
}
