// refused: a computed goto at line 9
#include <assert.h>

int main(void)
{
    static void *const table[] = {&&one, &&two};
    int x = 0;

    goto *table[1];
one:
    x = 1;
two:
    assert(x == 0);
    return 0;
}
