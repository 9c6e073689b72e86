// A pointer that was moved beyond its array is used.
#include <assert.h>

int a[2], n, *p = a;

int main(void) {
    n = 2;
    p += n;
    *p = 1;
    assert(n == 2);
    return 0;
}
