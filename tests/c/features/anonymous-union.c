/* Members of anonymous structs and unions are members of what they stand in; of each union, one member is used. */
#include <assert.h>

struct value {
    int kind;
    union {
        int number;
        struct {
            short re, im;
        };
    };
    union {
        struct {
            int low, high;
        };
        long long whole;
    };
};

static int weight(const struct value *v)
{
    return v->kind == 0 ? v->number : v->low + v->high;
}

int main(void)
{
    struct value a, b;

    a.kind = 0;
    a.number = 70000;
    b.kind = 1;
    b.low = 3;
    b.high = 4;
    assert(weight(&a) == 70000 && weight(&b) == 7);
    return 0;
}
