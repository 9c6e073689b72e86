/* A function is called through a parameter. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int add(int a, int b)
{
    return a + b;
}

static int sub(int a, int b)
{
    return a - b;
}

static int apply(int (*f)(int, int), int a, int b)
{
    return f(a, b);
}

int main(void)
{
    int r = apply(__VERIFIER_nondet_int() ? add : sub, 5, 3);

    assert(r == 8);
    return 0;
}
