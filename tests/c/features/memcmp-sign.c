// memcmp says which of two is less, as unsigned bytes.
#include <assert.h>
#include <string.h>

unsigned char a[3] = { 1, 2, 3 }, b[3] = { 1, 200, 3 };

int main(void) {
    a[2]++;
    assert(memcmp(a, b, 3) < 0);
    assert(memcmp(b, a, 2) > 0);
    assert(memcmp(a, b, 1) == 0);
    return 0;
}
