/* Threads that each work on the element of their own index (Kaiser, thesis, Fig. 2: a program for graphics processors
 * squares the elements of an array).
 *
 * A graphics processor gives each thread an index of its own; here each draws it from a counter. Of the array one element
 * is looked at, which is any: what holds for it holds for all.
 * Asserted: the element is not worked on twice.
 * Safe: indices are unique, which is a relationship between two threads.
 */
#include <assert.h>

unsigned nondet_unsigned(void);
void __CPROVER_assume(int);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned next, some;
_Bool squared;

void square(void)
{
    __CPROVER_atomic_begin();
    __CPROVER_assume(next < 1000000);
    unsigned index = next;
    next = next + 1;
    __CPROVER_atomic_end();
    if (index == some) {
        assert(!squared);
        squared = 1;
    }
}

int main(void)
{
    some = nondet_unsigned();
    while (1) {
    __CPROVER_ASYNC_1:
        square();
    }
}
