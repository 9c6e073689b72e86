/* Packed members of unions in arrays: at odd places, and in several words. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct __attribute__((packed)) packed {
    signed char a;
    unsigned short b;
    long c;
    unsigned d;
    short e[3];
};

union both {
    struct packed p;
    unsigned word;
    long wide;
};

union both u[2] = { { { 5, 1, 0x077628d16e9de470, 4, { 1, 2, 3 } } }, { { 5, 7, 0x077628d16e9de470, 4, { 1, 2, 3 } } } };

int main(void)
{
    int i = __VERIFIER_nondet_int() & 1;
    int j = i + 1;

    assert(u[i].p.b == 1 + 6 * i);
    assert(u[i].p.c == 0x077628d16e9de470);
    assert(u[i].p.e[j] == j + 1);
    u[i].p.c = -1;
    assert(u[i].p.b == 1 + 6 * i && u[i].p.d == 4);
    assert(u[1 - i].p.c != -1);
    return 0;
}
