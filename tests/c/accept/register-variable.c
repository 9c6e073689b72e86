/* A variable in a certain register. */
#include <assert.h>
int main(void)
{
    register long number __asm__("r10") = 4;
    assert(number == 4);
    return 0;
}
