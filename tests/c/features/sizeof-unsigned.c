/* Sizeof is unsigned: -1 is not less than it. */
#include <assert.h>

int main(void)
{
    int i = -1;

    assert(i < sizeof(int));
    return 0;
}
