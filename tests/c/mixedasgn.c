/* A thread remembers the shared value and, if it is still the same, moves both on in one step.
 *
 * Asserted: the shared and the local variable are equal after the step.
 * Safe: s == l was tested in the atomic section, and both sides are changed in the same way.
 */
#include <assert.h>

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned s = 0;

void thread(void)
{
    unsigned l = s;

    __CPROVER_atomic_begin();
    if (s == l) {
        s = (s ^ 5) + 1;
        l = (l ^ 5) + 1;
        assert(s == l);
    }
    __CPROVER_atomic_end();
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
