// The values of increments before and after.
#include <assert.h>

int x, y;

int main(void) {
    y = x++;
    assert(y == 0 && x == 1);
    y = ++x;
    assert(y == 2 && x == 2);
    y = x--;
    assert(y == 2 && x == 1);
    return 0;
}
