/* One of both places gets all of the struct, which is made once. */
#include <assert.h>

struct pair { int a, b; } rows[2], *to = rows;
int calls;

struct pair make(int a)
{
    to = &rows[1];
    calls++;
    return (struct pair){ a, a + 1 };
}

int main(void)
{
    *to = make(3);
    assert(rows[0].a == 3 && rows[0].b == 4 || rows[1].a == 3 && rows[1].b == 4);
    assert(rows[0].a + rows[1].a == 3 && calls == 1);
    return 0;
}
