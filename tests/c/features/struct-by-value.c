/* Structs are copied on assignment, passing and returning. */
#include <assert.h>

struct point {
    int x, y;
};

static struct point mirrored(struct point p)
{
    int t = p.x;

    p.x = p.y;
    p.y = t;
    return p;
}

int main(void)
{
    struct point a = {1, 2}, b = a, c;

    c = mirrored(a);
    b.x = 9;
    assert(a.x == 1 && a.y == 2);
    assert(c.x == 2 && c.y == 1);
    assert(b.x == 9 && b.y == 2);
    return 0;
}
