/* Continue in a do loop goes to its condition. */
#include <assert.h>

int main(void)
{
    int n = 0;

    do {
        n++;
        if (n < 5)
            continue;
    } while (n < 3);
    assert(n == 5);
    return 0;
}
