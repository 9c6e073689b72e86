// accepted: a bit-field at line 5
#include <assert.h>

struct flags {
    unsigned a : 3;
    unsigned b : 5;
};

int main(void)
{
    struct flags f = {0, 0};

    f.a = 9;
    assert(f.a == 1);
    return 0;
}
