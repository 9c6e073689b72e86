/* A union of which two members are used, each as it was written. */

#include <assert.h>

struct value {
    int kind;
    union {
        int number;
        struct {
            short re, im;
        };
    };
};

static int weight(struct value v)
{
    return v.kind == 0 ? v.number : v.re + v.im;
}

int main(void)
{
    struct value a, b;

    a.kind = 0;
    a.number = 70000;
    b.kind = 1;
    b.re = 3;
    b.im = 4;
    assert(weight(a) == 70000 && weight(b) == 7);
    return 0;
}
