/* A cast to char before the conversion to _Bool loses the high bits. */
#include <assert.h>

int main(void)
{
    int x = 256;
    _Bool b = (char)x;

    assert(b);
    return 0;
}
