// accepted: attributes, extensions and alignment at line 4
#include <assert.h>

extern void stop(void) __attribute__((noreturn));
static int x __attribute__((aligned(64))) = 4;
typedef struct __attribute__((packed)) {
    char c;
    int i;
} packed;
__extension__ typedef long long wide;
static __inline int get(const int *__restrict p) __attribute__((always_inline));

static __inline int get(const int *__restrict p)
{
    return *p;
}

_Static_assert(sizeof(wide) == 8, "wide");

int main(void)
{
    packed p = {1, 2};

    assert(get(&x) == 4 && p.i == 2 && __builtin_expect(x == 4, 1));
    return 0;
}
