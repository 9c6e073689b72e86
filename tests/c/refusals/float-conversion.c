// refused: a conversion from floating point to an integer that the property depends on at line 7
#include <assert.h>

int main(void)
{
    float f = 2.5f;
    int x = (int)f;

    assert(x == 2);
    return 0;
}
