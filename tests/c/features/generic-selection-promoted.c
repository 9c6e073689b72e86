/* The type of a sum of chars is int. */
#include <assert.h>

int main(void)
{
    char c = 1;

    assert(_Generic(c + c, char : 1, int : 2) == 1);
    return 0;
}
