// A bit-field that was converted to its own type has that type: it is not promoted to int.
#include <assert.h>

struct fields {
    long small : 3;
    unsigned char byte : 4;
} f = { 1, 15 };
int by = 40;

int main(void) {
    f.small = 1;
    by++;
    assert((long)f.small << by == 1l << 41);
    assert(sizeof((long)f.small + 0) == 8);
    assert(sizeof(f.small + 0) == 4);
    assert((unsigned char)f.byte - 16 < 0);
    return 0;
}
