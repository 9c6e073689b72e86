/* A later designator overrides an earlier one. */
#include <assert.h>

int main(void)
{
    int v[3] = {1, 2, 3, [0] = 9};

    assert(v[0] == 1);
    return 0;
}
