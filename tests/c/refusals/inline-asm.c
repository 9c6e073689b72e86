// refused: inline assembly at line 8
#include <assert.h>

int main(void)
{
    int x = 1;

    __asm__ volatile("incl %0" : "+r"(x));
    assert(x == 2);
    return 0;
}
