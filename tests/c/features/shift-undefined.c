// A shift by the width of its type is undefined.
#include <assert.h>

int by = 30, x;

int main(void) {
    by += 2;
    x = 1 << by;
    assert(x < 2);
    return 0;
}
