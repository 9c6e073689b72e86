/* Additions that do not fit. */
#define _GNU_SOURCE
#include <limits.h>
#include <assert.h>

int main(void)
{
    int sum;
    assert(__builtin_add_overflow(INT_MAX, 1, &sum) && sum == INT_MIN);
    assert(!__builtin_mul_overflow(3, 4, &sum) && sum == 12);
    return 0;
}
