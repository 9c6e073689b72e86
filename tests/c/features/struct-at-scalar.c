/* A struct that is looked for at a member of another struct. */
#include <assert.h>

struct S {
    int a;
};

struct T {
    struct S s;
    int b;
} t = { { 1 }, 2 };

int main(void)
{
    struct S *p = (struct S *)&t.b;

    assert(p->a == 2);
    p->a = 5;
    assert(t.b == 5 && t.s.a == 1);
    return 0;
}
