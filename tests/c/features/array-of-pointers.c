/* An array of pointers to globals. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int a, b;
static int *const both[2] = {&a, &b};

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();

    __VERIFIER_assume(i < 2);
    *both[i] = 1;
    assert(b == 0);
    return 0;
}
