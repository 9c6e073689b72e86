/* Members of nested structs and arrays of structs. */
#include <assert.h>

struct inner {
    short v[2];
};
struct outer {
    int n;
    struct inner in[2];
};

static struct outer g;

int main(void)
{
    struct outer l = {1, {{{2, 3}}, {{4, 5}}}};

    g = l;
    g.in[1].v[0] += 10;
    assert(l.in[1].v[0] == 4 && g.in[1].v[0] == 14);
    l.in[0] = g.in[1];
    assert(l.in[0].v[0] == 14 && l.in[0].v[1] == 5 && l.in[1].v[0] == 4);
    return 0;
}
