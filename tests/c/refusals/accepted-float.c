// accepted: floating point that the property does not depend on at line 6
#include <assert.h>

int main(void)
{
    double x = 0.5;
    int n = 1;

    x = x * 2;
    n = n + 1;
    assert(n == 2);
    return 0;
}
