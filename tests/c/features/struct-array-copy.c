/* A struct assignment copies the array inside. */
#include <assert.h>

struct box {
    int v[3];
};

int main(void)
{
    struct box a = {{1, 2, 3}}, b;

    b = a;
    b.v[1] = 9;
    a = b;
    assert(a.v[1] == 2);
    return 0;
}
