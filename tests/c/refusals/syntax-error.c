// refused: a missing semicolon at line 6
#include <assert.h>

int main(void)
{
    int x = 1
    x = x + 1;
    assert(x == 2);
    return 0;
}
