// refused: a conversion from floating point to an integer that the property depends on at line 6
#include <assert.h>

int main(void)
{
    int x = (int)(2.5f * 2);

    assert(x == 5);
    return 0;
}
