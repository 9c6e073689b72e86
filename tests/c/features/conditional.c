/* Only the chosen branch of ?: is evaluated. */
#include <assert.h>

int main(void)
{
    int n = 0;
    int r = 1 ? n + 5 : n++;

    assert(r == 5 && n == 0);
    r = n ? 1 : r > 4 ? 2 : 3;
    assert(r == 2);
    return 0;
}
