/* The smallest int has no positive counterpart (wrap-around in unsigned arithmetic). */
#include <assert.h>
#include <limits.h>

int main(void)
{
    unsigned u = (unsigned)INT_MIN;

    assert(-u == u);
    assert(INT_MIN < 0 && INT_MIN + INT_MAX == -1);
    assert(INT_MIN / 1 == INT_MIN && INT_MIN % 2 == 0);
    return 0;
}
