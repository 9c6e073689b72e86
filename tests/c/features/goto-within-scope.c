/* A jump within the scope of a variable keeps its value, one back before its declaration initialises it again. */
#include <assert.h>

int main(void)
{
    int rounds = 0;

again:
    rounds++;
    {
        int x = rounds;

        if (x == 1)
            goto out;
        x = 7;
        goto inside;
inside:
        assert(x == 7 && rounds == 2);
        return 0;
    }
out:
    if (rounds < 3)
        goto again;
    assert(0);
    return 0;
}
