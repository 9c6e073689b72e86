/* A struct that is assigned and where it goes are evaluated in any order. */
#include <assert.h>

struct pair { int a, b; } rows[2];
int i;

struct pair make(void)
{
    i = 1;
    return (struct pair){ 3, 4 };
}

int main(void)
{
    rows[i] = make();
    assert(rows[0].a == 3);
    return 0;
}
