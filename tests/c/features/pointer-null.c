/* Null pointers compare equal to 0 and are false. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int a = 3;

static int get(int *p, int otherwise)
{
    return p ? *p : otherwise;
}

int main(void)
{
    int *p = __VERIFIER_nondet_int() ? &a : 0;

    assert(get(p, 5) == (p != 0 ? 3 : 5));
    return 0;
}
