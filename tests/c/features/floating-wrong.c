/* 0.1 as a float is not 0.1 as a double. */
#include <assert.h>

int main(void)
{
    assert(0.5f == 0.5);
    assert(0.1f == 0.1);
    return 0;
}
