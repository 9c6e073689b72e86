// refused: a name that is not declared at line 6
#include <assert.h>

int main(void)
{
    assert(y == 1);
    return 0;
}
