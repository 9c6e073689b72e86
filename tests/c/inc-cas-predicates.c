/* inc-cas.c with the predicates that prove it given by hand.
 *
 * Asserted: after an increment the counter is larger than the value it was computed from.
 * Safe: see inc-cas.c.
 */
#include <assert.h>

void __CPROVER_predicate(_Bool);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned value = 0;

void thread(void)
{
    unsigned m;
    _Bool ok;

    do {
        m = value;
        if (m == -1)
            return;
        __CPROVER_atomic_begin();
        ok = value == m;
        if (ok)
            value = m + 1;
        __CPROVER_atomic_end();
    } while (!ok);
    __CPROVER_predicate(value > m);
    __CPROVER_predicate(value >= m);
    __CPROVER_predicate(value == m);
    assert(value > m);
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
