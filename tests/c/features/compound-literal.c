/* Compound literals. */
#include <assert.h>

struct point {
    int x, y;
};

static int sum(struct point p)
{
    return p.x + p.y;
}

int main(void)
{
    struct point p = (struct point){.y = 4};
    int *q = (int[]){1, 2, 3};

    assert(sum((struct point){1, 2}) == 3);
    assert(p.x == 0 && p.y == 4);
    assert(q[1] == 2);
    return 0;
}
