/* Switch with fall-through and default. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int days(int month)
{
    int d = 0;

    switch (month) {
    case 2:
        d = 28;
        break;
    case 4:
    case 6:
    case 9:
    case 11:
        d--;
        /* fall through */
    default:
        d += 31;
    }
    return d;
}

int main(void)
{
    int m = __VERIFIER_nondet_int();

    assert(days(2) == 28 && days(4) == 30 && days(12) == 31);
    assert(days(m) >= 28 && days(m) <= 31);
    return 0;
}
