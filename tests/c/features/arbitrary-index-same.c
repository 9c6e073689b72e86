// An arbitrary index is chosen once: what is read and what is written are one element.
#include <assert.h>

int nondet_int(void);
int a[2] = { 5, 50 };

int main(void) {
    a[nondet_int() & 1]++;
    assert(a[0] + a[1] == 56);
    return 0;
}
