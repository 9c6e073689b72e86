/* cv-var.c where the broadcast comes before s is set.
 *
 * Asserted: who was told knows that s is set.
 * Breaks (wrong order): A and B are created; A: told holds nowhere, broadcast sets told in B
 *   B: assert(!1 || 0) fails
 */
#include <assert.h>

_Bool s = 0;
_Thread_local _Bool told = 0;

void thread(void)
{
    assert(!told || s);
__CPROVER_passive_broadcast:
    told = 1; /* in all other threads */
    s = 1;
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
