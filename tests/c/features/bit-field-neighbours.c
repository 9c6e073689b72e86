/* Neighbouring bit-fields of one width are told apart. */
#include <assert.h>

struct { unsigned a : 1, b : 1; signed c : 3; _Bool d : 1; } s;

int main(void)
{
    s.b = 1;
    assert(s.a == 0 && s.b == 1);
    s.c = -2;
    s.d = 4;
    s.b++;
    assert(s.a == 0 && s.b == 0 && s.c == -2 && s.d == 1);
    return 0;
}
