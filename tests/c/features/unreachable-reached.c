/* A thread comes to a place of which the program says that nobody does. */
#include <assert.h>

int x = 2;

int main(void)
{
    switch (x) {
    case 1: return 1;
    case 2: x = 3; break;
    }
    if (x == 3)
        __builtin_unreachable();
    assert(x != 3);
    return 0;
}
