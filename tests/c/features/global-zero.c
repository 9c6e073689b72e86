/* Globals without an initialiser are zero. */
#include <assert.h>

static int g, a[3];
static struct {
    int x;
    _Bool b;
} s;
static int *p;

int main(void)
{
    assert(g == 0 && a[2] == 0 && s.x == 0 && !s.b && p == 0);
    return 0;
}
