/* An arbitrary index is chosen once, so one element changes. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
int a[2] = { 5, 7 };

int main(void)
{
    a[__VERIFIER_nondet_uint() % 2]++;
    assert(a[0] + a[1] == 13);
    assert(a[0] == 5);
    return 0;
}
