/* A local without an initialiser is arbitrary. */
#include <assert.h>

int main(void)
{
    int x;
    int *p = &x;

    assert(*p != 12345);
    return 0;
}
