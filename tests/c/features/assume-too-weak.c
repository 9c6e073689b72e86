/* An assumption that leaves one value too many. */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(_Bool);

int main(void)
{
    int x = nondet_int();

    __CPROVER_assume(x > 10 && x <= 12);
    assert(x == 11);
    return 0;
}
