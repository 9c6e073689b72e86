/* The value of an assignment to a bit-field is what it keeps. */
#include <assert.h>

struct { unsigned a : 3; signed b : 3; } s;

int main(void)
{
    int x = s.a = 9, y = s.b = 5, z = s.a++;
    assert(x == 1 && y == -3 && z == 1 && s.a == 2);
    assert(-1 < (0, s.a));
    return 0;
}
