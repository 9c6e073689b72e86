/* A _Bool is a byte: what is written to it as a byte is there, and writing it as a _Bool writes all of it. */
#include <assert.h>
#include <string.h>

union {
    _Bool b;
    unsigned char c;
} u;

struct S {
    _Bool a;
    unsigned char c;
    _Bool d;
} s;

int main(void)
{
    unsigned char *p = (unsigned char *)&s;

    u.c = 0xfe;
    u.b = 0;
    assert(u.c == 0);
    memset(&s, 0xff, sizeof s);
    s.a = 1;
    assert(p[0] == 1 && p[2] == 0xff);
    p[2] = 0;
    assert(!s.d);
    return 0;
}
