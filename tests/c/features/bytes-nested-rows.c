/* A byte of an array in a struct in an array is written, and no other. */
#include <assert.h>

struct row { short head; short tail[2]; } rows[2];
struct wide { long a[2]; char b[3]; } wides[2];

int main(void)
{
    signed char *c = (signed char *)&rows[1].tail[0];
    *c += 1;
    assert(rows[1].tail[0] == 1 && rows[1].tail[1] == 0);
    assert(rows[0].head == 0 && rows[0].tail[0] == 0 && rows[0].tail[1] == 0 && rows[1].head == 0);
    c = (signed char *)&rows[0].tail[1] + 1;
    *c = 2;
    assert(rows[0].tail[1] == 512 && rows[0].tail[0] == 0 && rows[1].tail[0] == 1);
    c = (signed char *)&wides[1].a[0] + 3;
    *c = 1;
    assert(wides[1].a[0] == 1l << 24 && wides[0].a[0] == 0 && wides[0].a[1] == 0 && wides[1].a[1] == 0);
    return 0;
}
