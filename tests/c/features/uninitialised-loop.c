/* A local of a loop body starts arbitrary in every round. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i, last = 0;

    for (i = 0; i < 2; i++) {
        int x;
        int *p = &x;

        if (i == 0)
            *p = 7;
        last = *p;
    }
    assert(last == 7);
    return 0;
}
