/* A macro that evaluates its argument twice. */
#include <assert.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

int main(void)
{
    int i = 5, j = 4, m = MAX(i++, j++);

    assert(m == 5);
    return 0;
}
