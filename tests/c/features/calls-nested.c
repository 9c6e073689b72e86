/* Calls inside calls and in conditions. */
#include <assert.h>

static int depth;

static int down(int n)
{
    depth++;
    return n - 1;
}

int main(void)
{
    int n = 3;

    while ((n = down(n)))
        ;
    assert(n == 0 && depth == 3);
    assert(down(down(down(9))) == 6 && depth == 6);
    return 0;
}
