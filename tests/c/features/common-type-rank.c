// unsigned long and long long have unsigned long long in common.
#include <assert.h>

unsigned long u = 1;
long long s = -1;

int main(void) {
    u++;
    s--;
    assert(u < s);
    assert((s + u) / 2 == 0);
    assert(s / u > 1);
    return 0;
}
