/* The value of a postfix increment is the old one. */
#include <assert.h>

int main(void)
{
    int i = 5, j = i++;

    assert(j == i);
    return 0;
}
