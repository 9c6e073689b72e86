/* A loop that is entered in its middle: the next turn begins at its start. */
#include <assert.h>

int rounds(int n)
{
    int count = 0;
    int k = (n + 3) / 4;

    switch (n % 4) {
    case 0:
        do {
            count++;
    case 3:
            count++;
    case 2:
            count++;
    case 1:
            count++;
        } while (--k > 0);
    }
    return count;
}

int main(void)
{
    int n = 0;

    goto inside;
    for (; n < 12; n++) {
        n += 4;
inside:
        n++;
    }
    assert(n == 14);
    assert(rounds(6) != 6);
    return 0;
}
