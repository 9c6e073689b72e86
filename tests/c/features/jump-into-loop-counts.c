/* Duff's device counts to the number that it is given. */
#include <assert.h>

int rounds(int n)
{
    int count = 0;
    int k = (n + 1) / 2;

    switch (n % 2) {
    case 0:
        do {
            count++;
    case 1:
            count++;
        } while (--k > 0);
    }
    return count;
}

int main(void)
{
    assert(rounds(3) == 3);
    assert(rounds(4) == 4);
    return 0;
}
