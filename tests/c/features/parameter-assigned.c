// A parameter is a variable of its own: what is passed does not stay.
#include <assert.h>

static int next(int n) {
    n += 2;
    return n;
}

int main(void) {
    assert(next(5) == 7);
    assert(next(1) == 3);
    return 0;
}
