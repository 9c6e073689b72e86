/* One assignment, abstracted by two predicates (Kaiser, thesis, Table 1): v := v - 2 with v < w and v even.
 *
 * Any number of threads run `step`; v and w are 1 and 5 at first, as in Example 8.
 * Asserted: v is not even.
 * Safe.
 */
#include <assert.h>

void __CPROVER_assume(int);
void __CPROVER_predicate(int);

unsigned v = 1, w = 5;

void step(void)
{
    __CPROVER_predicate(v < w);
    __CPROVER_predicate(v % 2 == 0);
    __CPROVER_assume(v >= 2);
    v = v - 2;
}

void look(void)
{
    assert(v % 2 != 0);
}
