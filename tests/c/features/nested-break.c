/* Break leaves the innermost loop only. */
#include <assert.h>

int main(void)
{
    int i, n = 0;

    for (i = 0; i < 3; i++) {
        while (1) {
            n++;
            break;
        }
    }
    assert(n == 1);
    return 0;
}
