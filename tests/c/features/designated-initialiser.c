/* Designated initialisers; what is not named is zero. */
#include <assert.h>

struct config {
    int a, b;
    int list[4];
};

static struct config g = {.b = 2, .list = {[2] = 7}};

int main(void)
{
    struct config l = {.list[1] = 3, 4, .a = 1};
    int v[] = {[3] = 1, 2};

    assert(g.a == 0 && g.b == 2 && g.list[2] == 7 && g.list[3] == 0);
    assert(l.a == 1 && l.b == 0 && l.list[1] == 3 && l.list[2] == 4);
    assert(sizeof v / sizeof v[0] == 5 && v[4] == 2);
    return 0;
}
