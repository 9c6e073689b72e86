/* refcount-run.c where the count is looked at before the reference is taken; the owner has dropped
 * its reference to the first user.
 *
 * Asserted: the object is not freed while it is used.
 * Breaks (check, then act): A: refs == 1 is positive
 *   B: refs = 2, uses, refs = 1; B drops the owner's reference as well: refs = 0, freed
 *   A: refs = 1, assert(!freed) fails
 */
#include <assert.h>

static int refs = 1;
static _Bool freed = 0;

static void put(void)
{
    if (__sync_sub_and_fetch(&refs, 1) == 0)
        freed = 1;
}

void use(void)
{
    if (__atomic_load_n(&refs, __ATOMIC_SEQ_CST) <= 0)
        return;
    __sync_add_and_fetch(&refs, 1);
    assert(!freed);
    put();
    put(); /* the owner's */
}
