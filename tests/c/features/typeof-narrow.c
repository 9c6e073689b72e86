/* A variable declared by typeof is as narrow as its model. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    short s = 0;
    typeof(s) x = (typeof(s))__VERIFIER_nondet_int();
    int y = x;

    assert(y != 40000 - 65536);
    return 0;
}
