/* GNU case ranges. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int kind(int c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'f':
        return 2;
    }
    return 0;
}

int main(void)
{
    int c = __VERIFIER_nondet_int();

    assert(kind('9') == 1 && kind('f') == 2 && kind('g') == 0);
    assert((kind(c) == 1) == (c >= 48 && c <= 57));
    return 0;
}
