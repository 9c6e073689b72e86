// refused: a nested function at line 8
#include <assert.h>

int main(void)
{
    int x = 1;

    int add(int y)
    {
        return x + y;
    }

    assert(add(2) == 3);
    return 0;
}
