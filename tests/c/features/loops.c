/* Do, while and for with break and continue. */
#include <assert.h>

int main(void)
{
    int i = 0, n = 0;

    do
        n++;
    while (0);
    while (1) {
        if (++i == 3)
            continue;
        if (i > 5)
            break;
        n += i;
    }
    assert(i == 6 && n == 1 + 1 + 2 + 4 + 5);
    for (int i = 0; i < 2; i++) /* another i */
        n = 0;
    assert(i == 6 && n == 0);
    return 0;
}
