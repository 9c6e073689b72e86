// refused: an array whose elements are of variable length at line 9
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int a[2][n > 0 && n < 10 ? n : 1];

    a[0][0] = 1;
    assert(a[0][0] == 1);
    return 0;
}
