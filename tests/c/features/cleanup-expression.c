/* The value of a statement expression is computed before its variables are cleaned up. */
#include <assert.h>

int cleaned;

void clean(int *p)
{
    cleaned += *p;
}

int main(void)
{
    int r = ({
        int x __attribute__((cleanup(clean))) = 2;
        x + 10 * cleaned;
    });

    assert(r == 2);
    assert(cleaned == 2);
    return 0;
}
