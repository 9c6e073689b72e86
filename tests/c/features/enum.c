/* Enumerators count from the last given value. */
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE, MASK = 1 << 3 };

int main(void)
{
    enum colour c = BLUE;

    assert(RED == 0 && c == 6 && MASK == 8);
    c = (enum colour)(c - 1);
    assert(c == GREEN);
    return 0;
}
