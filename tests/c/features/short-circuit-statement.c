// The right side of && and || is evaluated only if it decides, also where nobody asks for the value.
#include <assert.h>

int n, x, y;

int main(void) {
    n && (x = 1);
    !n || (y = 1);
    assert(x == 0 && y == 0);
    n++;
    n && (x = 2);
    !n || (y = 2);
    assert(x == 2 && y == 2);
    return 0;
}
