/* mixedasgn.c where the test is made before the atomic section begins.
 *
 * Asserted: the shared and the local variable are equal after the step.
 * Breaks (check, then act): A: l = 0, s == l    B: s = 6    A: s = 4, l = 6, assert(4 == 6) fails
 */
#include <assert.h>

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned s = 0;

void thread(void)
{
    unsigned l = s;

    if (s == l) {
        __CPROVER_atomic_begin();
        s = (s ^ 5) + 1;
        l = (l ^ 5) + 1;
        assert(s == l);
        __CPROVER_atomic_end();
    }
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
