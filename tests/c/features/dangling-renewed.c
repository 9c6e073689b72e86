/* A pointer to a variable of a block is set in each turn before it is used. */
#include <assert.h>

int main(void)
{
    int *kept = 0;
    int sum = 0;

    for (int i = 0; i < 3; i++) {
        int x = i;

        kept = &x;
        sum += *kept;
    }
    assert(sum == 3);
    return 0;
}
