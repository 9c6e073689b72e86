// accepted: a recursive function that is never called at line 6
#include <assert.h>

int forever(int n)
{
    return forever(n + 1);
}

int main(void)
{
    assert(1 + 1 == 2);
    return 0;
}
