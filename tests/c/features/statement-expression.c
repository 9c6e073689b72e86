/* GNU statement expressions. */
#include <assert.h>

#define MAX(a, b)            \
    ({                       \
        int a_ = (a);        \
        int b_ = (b);        \
        a_ > b_ ? a_ : b_;   \
    })

int main(void)
{
    int i = 3, j = 4;

    assert(MAX(i++, j++) == 4);
    assert(i == 4 && j == 5);
    return 0;
}
