/* Pointer arithmetic inside an array. */
#include <assert.h>

int main(void)
{
    int a[5] = {10, 11, 12, 13, 14};
    int *p = a + 1;

    p++;
    assert(*p == 12 && p[-1] == 11 && *(p + 2) == 14);
    assert(p - a == 2 && p > a && p == &a[2]);
    *p-- = 99;
    assert(a[2] == 99 && *p == 11);
    return 0;
}
