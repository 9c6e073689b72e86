/* A library without a main: a reference-counted object that is freed by the last user.
 *
 * Asserted: the object is not freed while it is used.
 * Safe: a reference is taken only while the count is positive and below two, in one atomic step, so
 * the count is 1 (the owner's) plus the number of users; the owner never drops its own.
 */
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int refs = 1;
static _Bool freed = 0;

int __VERIFIER_atomic_get(void)
{
    if (refs <= 0 || refs > 1)
        return 0;
    refs++;
    return 1;
}

void use(void)
{
    if (!__VERIFIER_atomic_get())
        return;
    assert(!freed);
    __VERIFIER_atomic_begin();
    refs--;
    if (refs == 0)
        freed = 1;
    __VERIFIER_atomic_end();
}
