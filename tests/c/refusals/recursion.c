// refused: recursion of `fact` at line 6
#include <assert.h>

static int fact(int n)
{
    return n <= 1 ? 1 : n * fact(n - 1);
}

int main(void)
{
    assert(fact(3) == 6);
    return 0;
}
