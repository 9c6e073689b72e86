/* A pointer loop that stops one element too early. */
#include <assert.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4}, sum = 0;
    int *p;

    for (p = a; p < a + 3; p++)
        sum += *p;
    assert(sum == 10);
    return 0;
}
