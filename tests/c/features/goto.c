/* Goto out of nested loops and backwards. */
#include <assert.h>

int main(void)
{
    int i, j, rounds = 0;

    again:
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (i * j == 2)
                goto found;
    found:
    assert(i == 1 && j == 2);
    if (++rounds < 3)
        goto again;
    assert(rounds == 3);
    return 0;
}
