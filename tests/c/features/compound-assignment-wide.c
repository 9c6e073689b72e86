// A compound assignment computes in the common type, not in that of its left side.
#include <assert.h>

unsigned char c = 200;
int by = 257;

int main(void) {
    by++;
    c /= by;
    assert(c == 0);
    return 0;
}
