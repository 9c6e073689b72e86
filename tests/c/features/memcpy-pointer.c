/* Memcpy copies pointers, which then point to the same object. */
#include <assert.h>
#include <string.h>

int g;
struct s { int *p; char c; } a, b;

int main(void)
{
    a.p = &g;
    memcpy(&b, &a, sizeof b);
    *b.p = 1;
    assert(g == 0);
    return 0;
}
