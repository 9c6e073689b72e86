// A compare-and-swap that finds another value changes nothing.
#include <assert.h>

int x = 3;

int main(void) {
    assert(!__sync_bool_compare_and_swap(&x, 4, 5));
    assert(x == 3);
    assert(__sync_val_compare_and_swap(&x, 3, 6) == 3);
    assert(x == 6);
    return 0;
}
