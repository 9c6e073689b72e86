/* A thread sets a flag of its own in all other threads by a broadcast.
 *
 * Asserted: who was told knows that s is set.
 * Safe: s is set before every broadcast and never reset.
 */
#include <assert.h>

_Bool s = 0;
_Thread_local _Bool told = 0;

void thread(void)
{
    assert(!told || s);
    s = 1;
__CPROVER_passive_broadcast:
    told = 1; /* in all other threads */
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
