/* The place of an assignment of structs is evaluated once. */
#include <assert.h>

struct p { int x; } a[3], s = { 4 };

int main(void)
{
    int i = 0;
    struct p t = a[i++] = s;
    assert(i == 1 && t.x == 4 && a[0].x == 4 && a[1].x == 0);
    return 0;
}
