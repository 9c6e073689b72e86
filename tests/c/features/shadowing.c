/* Inner declarations hide outer ones. */
#include <assert.h>

static int x = 1;

static int get(void)
{
    return x;
}

int main(void)
{
    int x = 2;

    {
        int x = 3;

        assert(x == 3 && get() == 1);
    }
    assert(x == 2);
    return 0;
}
