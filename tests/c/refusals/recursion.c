// refused: recursion of `fact` whose depth is not constant at line 8
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int fact(int n)
{
    return n <= 1 ? 1 : n * fact(n - 1);
}

int main(void)
{
    assert(fact(__VERIFIER_nondet_int()) != 6);
    return 0;
}
