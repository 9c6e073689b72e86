/* An initialiser of a union is for its first member, and the others see its bytes. */
#include <assert.h>

union { int i; char c[4]; } u = { 0x0102 };

int main(void)
{
    assert(u.c[0] == 2);
    assert(u.c[1] == 0);
    return 0;
}
