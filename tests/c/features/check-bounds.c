/* An index one past the end, on request. */
#include <assert.h>

int main(void)
{
    int a[4] = {0};
    int i;

    for (i = 0; i <= 4; i++)
        a[i] = i;
    return 0;
}
