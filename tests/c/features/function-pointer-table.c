/* A table of function pointers. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int zero(int x)
{
    return x - x;
}

static int twice(int x)
{
    return x + x;
}

static int (*const table[])(int) = {zero, twice};

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();

    __VERIFIER_assume(i < 2);
    assert(table[i](4) == (int)(8 * i));
    assert((*table[1])(1) == 2);
    return 0;
}
