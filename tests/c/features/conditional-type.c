/* ?: converts to the common type: -1 becomes unsigned. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();

    assert((c ? -1 : 0u) <= 0);
    return 0;
}
