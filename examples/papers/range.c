/* A function that returns any number between 50 and 60 (Kaiser, thesis, Fig. 27).
 *
 * Asserted: it does.
 */
#include <assert.h>

unsigned nondet_unsigned(void);
void __CPROVER_assume(int);

static unsigned between(void)
{
    unsigned number = nondet_unsigned();
    __CPROVER_assume(number >= 50 && number <= 60);
    return number;
}

int main(void)
{
    unsigned number = between();
    assert(number >= 50 && number <= LIMIT);
}
