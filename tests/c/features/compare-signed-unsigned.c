/* -1 < 1u is false: the int is converted to unsigned. */
#include <assert.h>

int main(void)
{
    int i = -1;
    unsigned u = 1;

    assert(i < u);
    return 0;
}
