/* A static local keeps its value between calls. */
#include <assert.h>

static int next(void)
{
    static int n = 10;

    return n++;
}

int main(void)
{
    int a = next(), b = next();

    assert(a == 10 && b == 11);
    return 0;
}
