/* A declaration before the first case of a switch is jumped over: the value is arbitrary at the case. */
#include <assert.h>

int nondet_int(void);

int main(void)
{
    switch (nondet_int()) {
        int y = 3;

    case 0:
        assert(y != 7);
        break;
    default:
        y = 4;
        assert(y == 4);
    }
    return 0;
}
