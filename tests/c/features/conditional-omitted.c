/* GNU ?: with an omitted middle evaluates its first operand once. */
#include <assert.h>

static int calls;

static int get(void)
{
    calls++;
    return 7;
}

int main(void)
{
    int r = get() ?: 3;

    assert(r == 7 && calls == 1);
    assert((0 ?: 4) == 4);
    return 0;
}
