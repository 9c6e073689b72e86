// Whether two addresses are equal is a number like any other.
#include <assert.h>

int g = 1, h, n = 21423;

int main(void) {
    int *p = &g;
    h = (p == &g) != n;
    assert(h == 1);
    h = (p == &h) >= g;
    assert(h == 0);
    n = ((p != &h) << 3) % 5;
    assert(n == 3);
    return 0;
}
