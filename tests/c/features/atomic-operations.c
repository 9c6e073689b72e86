/* Results of the atomic operations. */
#include <assert.h>
#include <stdatomic.h>

int main(void)
{
    atomic_uint a = 5;
    unsigned b = 5, e = 6;
    _Bool f = 0;

    assert(atomic_fetch_add(&a, 2) == 5 && a == 7);
    assert(atomic_fetch_and(&a, 3) == 7 && a == 3);
    assert(atomic_exchange(&a, 9) == 3);
    assert(!atomic_compare_exchange_strong(&a, &e, 1) && e == 9);
    assert(atomic_compare_exchange_strong(&a, &e, 1) && a == 1);
    assert(__sync_add_and_fetch(&b, 1) == 6 && __sync_fetch_and_xor(&b, 2) == 6 && b == 4);
    assert(__sync_val_compare_and_swap(&b, 4, 8) == 4 && b == 8);
    assert(__atomic_exchange_n(&b, 3, __ATOMIC_SEQ_CST) == 8);
    assert(!__atomic_test_and_set(&f, __ATOMIC_SEQ_CST) && f);
    return 0;
}
