/* The first value of a constant union is written, in local variables and parameters. */
#include <assert.h>

union both { int number; unsigned char byte; };

static int first(const union both b, const int *p) {
    const int *q = &b.number;
    return *q + *p;
}

static int sum(void) {
    const union both all[2][2] = { { { 1 }, { 2 } }, { { 3 }, { 4 } } };
    const int *p = &all[1][0].number;
    const int **q = &p;
    return first(all[0][1], *q);
}

int main(void) {
    assert(sum() == 5);
    return 0;
}
