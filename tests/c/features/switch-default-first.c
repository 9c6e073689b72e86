/* A default in the middle falls through as well. */
#include <assert.h>

int main(void)
{
    int x = 7, r = 0;

    switch (x) {
    case 1:
        r = 1;
        break;
    default:
        r = 5;
    case 2:
        r = r + 10;
    }
    assert(r == 5);
    return 0;
}
