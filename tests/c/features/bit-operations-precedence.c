/* == binds stronger than &. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (x % 2 == 0)
        assert((x & 1 == 0) != 0);
    return 0;
}
