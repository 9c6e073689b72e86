/* Using a _Bool whose byte is 2 is undefined. */
#include <assert.h>

_Bool b;

int main(void)
{
    *(unsigned char *)&b = 2;
    if (b)
        return 1;
    return 0;
}
