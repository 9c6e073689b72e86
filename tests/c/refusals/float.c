// refused: floating-point arithmetic that the property depends on at line 8
#include <assert.h>

int main(void)
{
    double x = 0.1;

    assert(x + 0.2 != 0.3);
    return 0;
}
