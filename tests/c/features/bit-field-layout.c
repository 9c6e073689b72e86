// Where bit-fields and members are.
#include <assert.h>
#include <stddef.h>

struct crossing {
    int a : 20;
    int b : 20;
    int c : 20;
};
struct ended {
    unsigned char a : 3;
    unsigned char : 0;
    unsigned char b : 2;
};
struct padded {
    char c;
    int i;
    short s;
};
union seen {
    struct ended fields;
    unsigned char bytes[2];
} u;
int n = 1;

int main(void) {
    u.fields.b = n;
    assert(u.bytes[1] == 1);
    assert(sizeof(struct crossing) == 12 * n);
    assert(sizeof(struct ended) == 2 * n);
    assert(sizeof(struct padded) == 12 * n);
    assert(offsetof(struct padded, i) == 4 * n);
    return 0;
}
