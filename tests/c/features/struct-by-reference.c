/* A struct passed by reference changes. */
#include <assert.h>

struct point {
    int x, y;
};

static void mirror(struct point *p)
{
    int t = p->x;

    p->x = p->y;
    p->y = t;
}

int main(void)
{
    struct point a = {1, 2};

    mirror(&a);
    assert(a.x == 1);
    return 0;
}
