/* Abort, exit and a return from main end the program. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (x == 1)
        abort();
    if (x == 2)
        exit(1);
    if (x == 3)
        _Exit(2);
    assert(x < 1 || x > 3);
    return 0;
}
