/* Sizeof does not evaluate its operand. */
#include <assert.h>

int main(void)
{
    int i = 0;
    short a[6];

    assert(sizeof(i++) == 4 && i == 0);
    assert(sizeof a == 12 && sizeof(char) == 1 && sizeof(long long) == 8);
    assert(sizeof('a') == sizeof(int));
    return 0;
}
