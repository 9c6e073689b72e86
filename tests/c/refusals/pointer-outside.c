// undefined: pointer arithmetic from one object to another at line 11
#include <assert.h>

static int a, b;

int main(void)
{
    int *p = &a;

    p += 1;
    *p = 5;
    assert(b != 5);
    return 0;
}
