/* Characters may look at padding: copying a struct byte by byte. */
#include <assert.h>

struct s { char c; int i; int *p; } a, b;
int g;

int main(void)
{
    unsigned char *to = (unsigned char *)&b, *from = (unsigned char *)&a;
    a.c = 1;
    a.i = 2;
    a.p = &g;
    for (unsigned k = 0; k < sizeof a; k++)
        to[k] = from[k];
    assert(b.c == 1 && b.i == 2);
    *b.p = 3;
    assert(g == 3);
    return 0;
}
