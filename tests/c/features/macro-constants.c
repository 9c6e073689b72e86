/* Constants of limits.h and stdint.h. */
#include <assert.h>
#include <limits.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int8_t a = INT8_MIN;
    uint16_t b = UINT16_MAX;

    assert(a == -128 && b == 65535 && INT_MAX == 0x7fffffff && CHAR_BIT == 8);
    assert(x != INT_MIN);
    return 0;
}
