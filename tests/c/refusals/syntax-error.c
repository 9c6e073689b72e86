// refused: a syntax error at line 8
#include <assert.h>

int main(void)
{
    int x = 1

    assert(x == 1);
    return 0;
}
