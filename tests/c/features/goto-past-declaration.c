/* A declaration that is jumped over gives no value: 5 is possible at the label. */
#include <assert.h>

int main(void)
{
    goto in;
    {
        int x = 1;

        x++;
in:
        assert(x != 5);
    }
    return 0;
}
