/* __builtin_expect and friends. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (__builtin_expect(x > 5, 0))
        assert(x >= 6);
    if (__builtin_expect(!!(x == 3), 1))
        assert(x + x == 6);
    return 0;
}
