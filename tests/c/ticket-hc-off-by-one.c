/* ticket-hc.c where a thread stops waiting when it is next (distance one) instead of served.
 *
 * Asserted: mutual exclusion.
 * Breaks (off by one): A: ticket 0, distance 0, inside = 1    B: ticket 1, distance 1 is not > 1,
 * assert(inside == 0) fails
 */
#include <assert.h>

void __CPROVER_assume(_Bool);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned next_ticket = 0;
unsigned now_serving = 0;
int inside = 0;

static void acquire_lock(void)
{
    unsigned my_ticket;

    __CPROVER_atomic_begin();
    __CPROVER_assume(next_ticket != -1);
    my_ticket = next_ticket;
    next_ticket++;
    __CPROVER_atomic_end();
    while (my_ticket - now_serving > 1)
        ;
}

void thread(void)
{
    while (1) {
        acquire_lock();
        assert(inside == 0);
        inside = 1;
        inside = 0;
        now_serving++;
    }
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
