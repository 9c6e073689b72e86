// What has to hold for the right side of && has to hold only where it is evaluated.
#include <assert.h>

int main(void) {
    int n = 0, r;
    n += 0;
    r = n != 0 && 10 / n > 1;
    assert(r == 0);
    r = n == 0 || 10 / n > 1;
    assert(r == 1);
    return 0;
}
