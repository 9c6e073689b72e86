/* Characters look at the bytes of any object. */
#include <assert.h>

struct { char tag; int v; } s;

int main(void)
{
    unsigned char *p = (unsigned char *)&s.v;
    int i = 0;
    s.tag = 7;
    p[i + 1] = 1;
    assert(s.v == 256 && s.tag == 7);
    return 0;
}
