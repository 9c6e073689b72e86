// What the initialiser of a local variable does not name is zero, each time.
#include <assert.h>

struct pair {
    int x, y;
};
int n = 1;

static int sum(void) {
    int a[4] = { n, [2] = 3 };
    struct pair s = { .y = n };
    int result = a[1] + a[3] + s.x;
    a[1] = a[3] = s.x = 9;
    return result;
}

int main(void) {
    n++;
    assert(sum() == 0);
    assert(sum() == 0);
    return 0;
}
