/* Returns in the middle of loops and branches. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sign(int x)
{
    for (;;) {
        if (x > 0)
            return 1;
        else if (x == 0)
            break;
        return -1;
    }
    return 0;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();

    assert(sign(x) * 2 == (x > 0 ? 2 : x < 0 ? -2 : 0));
    return 0;
}
