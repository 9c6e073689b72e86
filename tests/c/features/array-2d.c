/* A two-dimensional array. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int m[2][3];

int main(void)
{
    unsigned i, j;

    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            m[i][j] = (int)(3 * i + j);
    i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 2);
    assert(m[i][2] - m[i][0] == 2);
    assert(m[1][0] == 3);
    return 0;
}
