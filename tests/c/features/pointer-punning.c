/* An object accessed through a pointer of another type. */
#include <assert.h>

int main(void)
{
    int x = 0x01020304;
    unsigned char *p = (unsigned char *)&x;

    assert(*p == 4);
    return 0;
}
