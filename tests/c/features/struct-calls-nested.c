/* Structs that nested calls return are told apart. */
#include <assert.h>

struct p { int x, y; };

struct p make(int x, int y)
{
    struct p r = { x, y };
    return r;
}

struct p add(struct p a, struct p b)
{
    return make(a.x + b.x, a.y + b.y);
}

int main(void)
{
    struct p r = add(make(1, 2), add(make(3, 4), make(5, 6)));
    assert(r.x == 9 && r.y == 12 && make(1, 2).x - make(3, 4).y == -3);
    struct p (*f)(int, int) = make;
    assert(f(7, 8).y == 8);
    return 0;
}
